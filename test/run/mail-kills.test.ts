import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../../src/core/config/config.ts'
import { needs } from '../needs.ts'
import { run } from './program.ts'

test(
  'no email is lost or duplicated while Deskbell, Postgres and Dovecot are killed',
  needs('dovecot'),
  async t => {
    const options = '--only kills --mails 200 --seconds 40'.split(' ')
    const bench = run(process.execPath, [join(root, 'bench/main.ts'), 'mail', ...options])
    t.after(() => void bench.child.kill())
    const { status, stdout, stderr } = await bench.ended
    assert.equal(status, 0, `${stdout}\n${stderr}`)
    assert.match(stdout, /0 lost, 0 duplicated, 0 failed; 200 messages in 200 tickets/)
  },
)
