import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Command } from './command.ts'
import { findCommand } from './run.ts'

const make = (name: string): Command => ({
  name,
  about: '',
  run: async () => ({ result: {} }),
  print: () => '',
})

test('if the name of one command begins with that of another, the longer one is found', () => {
  const all = ['project', 'project plan', 'plan'].map(make)
  const nameOf = (...words: string[]) => findCommand(words, all)?.name
  assert.equal(nameOf('project', 'plan', '42'), 'project plan')
  assert.equal(nameOf('project', '42'), 'project')
  assert.equal(nameOf('plan', 'project'), 'plan')
  assert.equal(nameOf('planned'), undefined)
})
