import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commands } from './commands.ts'
import { describeOne } from './help.ts'

const usageOf = (name: string) => describeOne(commands.find(one => one.name === name)!)

test('lists the statuses that each command accepts', () => {
  assert.match(usageOf('billing orders'), /\[--status waiting\|disputed\|received\|failed\]/)
  assert.match(usageOf('article import'), /\[--status draft\|published\]/)
})
