import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { assertWrong, type Installation, startInstallation } from '../../test/examined.ts'
import { makeListeningMailbox, makeMailbox, storeMail } from '../../test/mail.ts'
import { pauseMailbox } from '../channels/email/mailboxes/mailboxes.ts'
import type { Config } from '../core/config/config.ts'

/** What doctor says about mailboxes and the emails that they receive. */

let installation: Installation
let id: string

before(async () => {
  installation = await startInstallation()
  const { server } = installation
  await makeListeningMailbox(server, 'listen@example.com')
  id = (await makeMailbox(server, { imapPort: 9 })).id
})
after(() => installation.close())

/** A mailbox that a process is fetching and has just fetched. */
beforeEach(
  () => installation.server.db`
    update mailboxes set state = 'active', failures = 0, last_error = null, last_ok_at = now(),
      lease_id = gen_random_uuid(), lease_until = now() + interval '30 seconds',
      created_at = now() - interval '1 day'`,
)

test('finds nothing wrong with a mailbox that is fetched', async () => {
  assert.deepEqual(await installation.examine(), {})
})

test('names a mailbox that cannot be fetched, and what to do', async () => {
  const { db } = installation.server
  const error = {
    code: 'login_refused',
    values: { host: 'imap.example.com', user: 'support' },
    at: '2026-01-01T00:00:00',
  }
  await db`
    update mailboxes set state = 'broken', last_error = ${db.json(error)}, lease_until = null where id = ${id}`
  assertWrong(
    await installation.examine(),
    'mailbox',
    /^support@example\.com \(Acme\): imap\.example\.com rejected the login/,
  )
})

test('finds nothing wrong with a paused mailbox, even if it had an error before', async () => {
  const { db, acme } = installation.server
  await db`
    update mailboxes set last_error = '{"code": "server", "values": {"reason": "x"}}', lease_until = null where id = ${id}`
  await pauseMailbox(db, { project: acme, actor: { type: 'cli' } }, id)
  assert.deepEqual(await installation.examine(), {})
})

test('names a mailbox that cannot send, and what to do', async () => {
  const { db } = installation.server
  const error = { code: 'smtp_disabled', values: { host: 'smtp.example.com', user: 'support' } }
  await db`update mailboxes set sending = 'smtp', send_error = ${db.json(error)} where id = ${id}`
  const found = await installation.examine()
  await db`update mailboxes set sending = 'none', send_error = null where id = ${id}`
  assertWrong(
    found,
    'mailbox',
    /^support@example\.com \(Acme\): smtp\.example\.com does not allow support to send/,
  )
})

test('warns if MAIL_FROM is the address of a mailbox', async () => {
  assertWrong(
    await installation.examine({ mailFrom: 'Desk <Support+desk@example.com>' }),
    'mailboxes',
    /^MAIL_FROM is support\+desk@example\.com, which belongs to a mailbox \(Acme\)/,
  )
})

test('names a mailbox that no process fetches, and the missing role', async () => {
  await installation.server.db`
    update mailboxes set lease_until = now() - interval '10 minutes' where id = ${id}`
  const roles: Config['roles'] = new Set(['http'])
  assertWrong(
    await installation.examine({ roles }),
    'mailboxes',
    /^no process is fetching support@example\.com; start one with the role channels.* does not have it in ROLES$/,
  )
})

test('names a mailbox whose new emails have not been fetched completely for 15 minutes', async () => {
  await installation.server
    .db`update mailboxes set last_ok_at = now() - interval '20 minutes' where id = ${id}`
  assertWrong(
    await installation.examine(),
    'mailbox',
    /^support@example\.com \(Acme\): new emails have not been fetched completely for 20 min/,
  )
})

test('reports that received emails have waited for more than 5 minutes', async t => {
  const { server } = installation
  const mail = await storeMail(server, server.acme)
  t.after(() => server.db`update incoming_mails set state = 'done' where id = ${mail}`)
  t.after(() => server.db`delete from due_work where kind = 'mails'`)
  assert.deepEqual(await installation.examine(), {})
  await server.db`update due_work set due_at = now() - interval '6 minutes' where kind = 'mails'`
  assertWrong(
    await installation.examine(),
    'received emails',
    /^received emails have waited for 6 min to be handled; start a process with the role channels/,
  )
})
