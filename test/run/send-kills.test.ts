import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../../src/core/config/config.ts'
import { run } from './program.ts'

test('no reply is lost while Deskbell is killed, and replies that are sent twice are marked', async t => {
  const options = '--only kills --answers 60 --mailboxes 3'.split(' ')
  const bench = run(process.execPath, [join(root, 'bench/main.ts'), 'send', ...options])
  t.after(() => void bench.child.kill())
  const { status, stdout, stderr } = await bench.ended
  assert.equal(status, 0, `${stdout}\n${stderr}`)
  assert.match(stdout, /60 replies in \d+ s with [1-9]\d* kills: 0 lost/)
})
