import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { addressOf } from '../../test/database.ts'
import { openFileContext } from '../../test/file-context.ts'
import { mailListen, openMailbox, startReceivingIn } from '../../test/mail/receiving.ts'
import { startRelay } from '../../test/mail/relay.ts'
import { sendThrough } from '../../test/mail/sending.ts'
import { deskbell } from '../../test/run/program.ts'
import { startServer } from '../../test/server.ts'
import { createVault } from '../core/crypto.ts'

/** `mailbox test --probe` sends a test email and waits for it. */

const context = openFileContext()
const secretKey = randomBytes(32)
const started = await startServer({ delivers: false, config: { mailListen } })
context.after(() => started.close())
const server = { ...started, vault: createVault(secretKey) }
const receiving = await startReceivingIn(server)
context.after(() => receiving.stop())
const settings = {
  DATABASE_URL: addressOf(server.target),
  SECRET_KEY: secretKey.toString('hex'),
  MAIL_LISTEN: 'lmtp://127.0.0.1:2424',
  WEBHOOK_ALLOWED_CIDRS: '127.0.0.1/32',
}
const run = (...words: string[]) => deskbell(settings, 'mailbox', 'test', ...words)

test('mailbox test --probe says how long the test email took, and mailbox test shows the result again', async t => {
  const { id, address } = await openMailbox(receiving, 'probed@example.com')
  await sendThrough(server, id, await startRelay(t, receiving))
  assert.doesNotMatch((await run(id)).stdout, /test email/)
  const { status, stdout, stderr } = await run(id, '--probe')
  assert.equal(status, 0, stderr)
  assert.match(stdout, /^The test email arrived after \d+\.\d s\. Email to plus addresses arrives/m)
  assert.match((await run(id)).stdout, /^The test email arrived after/m)
  const shown = JSON.parse((await run(id, '--json')).stdout)
  assert.partialDeepStrictEqual(shown.probe, { state: 'ended', plus: 'works' })
  const [audited] = await server.db`
    select author_type, target_name from audit_entries where action = 'mailbox.tested'`
  assert.deepEqual({ ...audited }, { author_type: 'cli', target_name: address })
})

test('mailbox test --probe fails if the test email cannot be sent', async () => {
  const { id } = await openMailbox(receiving, 'silent@example.com')
  const { status, stdout } = await run(id, '--probe')
  assert.equal(status, 1)
  assert.match(stdout, /^The test email could not be sent\. This mailbox is not set up to send email\.$/m)
})
