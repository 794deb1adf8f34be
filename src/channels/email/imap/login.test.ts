import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Dovecot, startDovecot } from '../../../../test/dovecot.ts'
import { openFileContext } from '../../../../test/file-context.ts'
import { fetchMails, findMailbox, listMails, makeMail, makeMailbox } from '../../../../test/mail.ts'
import { needs } from '../../../../test/needs.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { startTokenServer, type TokenServer } from '../../../../test/token-server.ts'
import { until } from '../../../../test/until.ts'
import { wordFault } from '../mailboxes/fault.ts'
import { changeMailbox } from '../mailboxes/mailboxes.ts'
import { tryMailbox } from '../set-up/try-mailbox.ts'

/** Logins with passwords and OAuth 2, and the errors that they report. */

const installed = needs('dovecot')

let server: TestServer
let dovecot: Dovecot
let tokens: TokenServer
const context = openFileContext()

before(async () => {
  if (installed.skip) return
  server = await startServer({ delivers: false })
  context.after(() => server.close())
  tokens = await startTokenServer(context, 'token@example.com')
  const users = { token: 'unused', wrong: 'right' }
  dovecot = await startDovecot(context, { users, introspection: tokens.introspectionUrl })
})

const caller = () => ({ project: server.acme, actor: { type: 'cli' as const } })

test(
  'a wrong password marks a new mailbox as broken with instructions, and the correct one reactivates it',
  installed,
  async t => {
    const mailbox = await makeMailbox(server, dovecot, { user: 'wrong', password: 'mistyped' })
    fetchMails(t, server)
    const broken = await until(async () => {
      const row = await findMailbox(server, mailbox)
      return row.state === 'broken' && row
    })
    assert.deepEqual(
      [broken.last_error.code, wordFault(broken.last_error)],
      [
        'login_refused',
        '127.0.0.1 rejected the login for wrong. Check the user name and the password. Many providers require an app password.',
      ],
    )
    const trial = await tryMailbox(server, server.acme.id, mailbox.id)
    assert.deepEqual([trial.ok, trial.code], [false, 'login_refused'])
    await changeMailbox(server, server.db, caller(), mailbox.id, { imap: { password: 'right' } }, null)
    await until(async () => (await findMailbox(server, mailbox)).last_ok_at)
    assert.equal((await findMailbox(server, mailbox)).state, 'active')
    const again = await tryMailbox(server, server.acme.id, mailbox.id)
    assert.deepEqual([again.ok, again.mails], [true, 0])
  },
)

const makeTokenMailbox = () =>
  makeMailbox(server, dovecot, {
    user: 'token',
    imap: {
      ...{ host: '127.0.0.1', port: dovecot.imapPort, security: 'none' },
      ...{ user: 'token@example.com', auth: 'oauth' },
      oauth: {
        ...{ provider: 'custom', client_id: 'desk' },
        ...{ token_url: tokens.tokenUrl, refresh_token: tokens.refreshToken },
      },
    },
  })

/** Makes the mailbox reconnect immediately. */
async function reconnect({ id }: { id: string }): Promise<void> {
  await server.db`
    update mailboxes set version = version + 1, backoff_until = null, last_ok_at = null where id = ${id}`
  await server.db`
    insert into due_work values (${server.acme.id}, 'mailboxes', ${id}, now())
    on conflict (project_id, kind, subject_id) do update set due_at = now()`
}

test(
  'stores each new refresh token, renews a rejected access token, and marks the mailbox as broken once access is revoked',
  installed,
  async t => {
    const mailbox = await makeTokenMailbox()
    fetchMails(t, server)
    await until(async () => (await findMailbox(server, mailbox)).last_ok_at)
    await dovecot.deliver('token@example.com', makeMail())
    await until(async () =>
      (await listMails(server, server.acme)).some(mail => mail.mailbox_id === mailbox.id),
    )
    assert.equal(tokens.issued, 1)

    tokens.revokeAccess()
    await reconnect(mailbox)
    await until(async () => tokens.issued === 2 && (await findMailbox(server, mailbox)).last_ok_at)

    tokens.revoke()
    await reconnect(mailbox)
    const broken = await until(async () => {
      const row = await findMailbox(server, mailbox)
      return row.state === 'broken' && row
    })
    assert.deepEqual(
      [broken.last_error.code, wordFault(broken.last_error)],
      ['access_revoked', 'Access to this mailbox was revoked or has expired. Reconnect the mailbox.'],
    )

    await changeMailbox(
      server,
      server.db,
      caller(),
      mailbox.id,
      { imap: { oauth: { refresh_token: tokens.connect() } } },
      null,
    )
    await until(async () => {
      const row = await findMailbox(server, mailbox)
      return row.state === 'active' && row.last_ok_at && row.last_error === null
    })
  },
)
