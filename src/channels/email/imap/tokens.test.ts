import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Dovecot, startDovecot } from '../../../../test/dovecot.ts'
import { openFileContext } from '../../../../test/file-context.ts'
import { fetchMails, findMailbox, listMails, makeMail, makeMailbox } from '../../../../test/mail.ts'
import { needs } from '../../../../test/needs.ts'
import { joinProject } from '../../../../test/operator.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { startThrottlingServer, type ThrottlingServer } from '../../../../test/throttling-server.ts'
import { passConsent, startTokenServer, type TokenServer } from '../../../../test/token-server.ts'
import { until } from '../../../../test/until.ts'
import { mayReachAll } from '../../../core/http/guarded-agent.ts'
import { getAccessToken } from '../mailboxes/access-token.ts'
import type { MailboxRow } from '../mailboxes/mailbox.ts'
import { deleteMailbox } from '../mailboxes/mailboxes.ts'
import { findFetchedMailbox } from '../mailboxes/queries.ts'
import { openSecrets } from '../mailboxes/secrets.ts'

/** Renewing tokens: by two processes, after access was revoked, and while a provider limits the rate. */

const installed = needs('dovecot')

let server: TestServer
let dovecot: Dovecot
let front: ThrottlingServer
let tokens: TokenServer
const context = openFileContext()

before(async () => {
  if (installed.skip) return
  server = await startServer({ delivers: false })
  context.after(() => server.close())
  tokens = await startTokenServer(context, 'token@example.com')
  dovecot = await startDovecot(context, { users: {}, introspection: tokens.introspectionUrl })
  front = await startThrottlingServer(context, dovecot.imapPort)
})

const caller = () => ({ project: server.acme, actor: { type: 'cli' as const } })

/** A mailbox until the end of the test. */
async function makeTokenMailbox(t: { after(run: () => unknown): void }): Promise<MailboxRow> {
  const mailbox = await makeMailbox(server, dovecot, {
    user: 'token',
    imap: {
      ...{ host: '127.0.0.1', port: front.port, security: 'none', user: 'token@example.com', auth: 'oauth' },
      oauth: {
        ...{ provider: 'custom', client_id: 'desk', token_url: tokens.tokenUrl },
        ...{ authorize_url: tokens.authorizeUrl, refresh_token: tokens.connect() },
      },
    },
  })
  t.after(() => deleteMailbox(server.db, caller(), mailbox.id))
  return mailbox
}

const getToken = async ({ id }: MailboxRow) => {
  const mailbox = (await findFetchedMailbox(server.db, server.acme.id, id))!
  return getAccessToken({ ...server, mayReach: mayReachAll }, mailbox, mailbox.imap!.oauth!)
}

const storedSecrets = async ({ id }: MailboxRow) =>
  openSecrets(server.vault, (await findFetchedMailbox(server.db, server.acme.id, id))!)

/** Ends the pause of the mailbox, so that it is due now. */
async function endPause({ id }: MailboxRow): Promise<void> {
  await server.db`update mailboxes set backoff_until = null where id = ${id}`
  await server.db`
    insert into due_work values (${server.acme.id}, 'mailboxes', ${id}, now())
    on conflict (project_id, kind, subject_id) do update set due_at = now()`
}

const isDue = async ({ id }: MailboxRow): Promise<boolean> =>
  (await server.db`select from due_work where subject_id = ${id} and due_at <= now()`).length > 0

/** The mailbox after its next failed attempt, with the length of the pause in seconds. */
const untilFailed = (mailbox: MailboxRow) =>
  until(async () => {
    const [row] = await server.db`select state, last_error, failures,
        extract(epoch from backoff_until - (last_error->>'at' || 'Z')::timestamptz)::float8 as pause from mailboxes
      where id = ${mailbox.id} and last_error is not null and backoff_until is not null`
    return row
  })

const untilWorking = (mailbox: MailboxRow) =>
  until(async () => {
    const { last_ok_at, last_error } = await findMailbox(server, mailbox)
    return last_ok_at && last_error === null
  })

test('two processes that need a new token at once send one request', installed, async t => {
  const mailbox = await makeTokenMailbox(t)
  const { issued } = tokens
  const got = await Promise.all([getToken(mailbox), getToken(mailbox), getToken(mailbox)])
  assert.deepEqual([new Set(got).size, tokens.issued - issued], [1, 1])
  const { access_token, refresh_token } = await storedSecrets(mailbox)
  assert.deepEqual([access_token, refresh_token], [got[0], tokens.refreshToken])
})

test('stores a new refresh token after each use, even if a request failed before', installed, async t => {
  tokens.seconds = 60
  t.after(() => {
    tokens.seconds = 3_600
  })
  const mailbox = await makeTokenMailbox(t)
  await getToken(mailbox)
  const first = await storedSecrets(mailbox)
  tokens.refusals.push({ status: 503 })
  await assert.rejects(getToken(mailbox), /status 503/)
  await getToken(mailbox)
  const second = await storedSecrets(mailbox)
  assert.notEqual(second.refresh_token, first.refresh_token)
  assert.equal(second.refresh_token, tokens.refreshToken)
})

test('repeats a renewal that another process did not finish', installed, async t => {
  const mailbox = await makeTokenMailbox(t)
  await server.db`update mailboxes set renewing_until = now() + interval '0.5 seconds' where id = ${mailbox.id}`
  const { issued } = tokens
  await getToken(mailbox)
  assert.equal(tokens.issued, issued + 1)
})

test(
  'stops asking once access is revoked, and continues after someone signs in again',
  installed,
  async t => {
    const olga = await joinProject(server, server.acme, { role: 'owner' })
    const mailbox = await makeTokenMailbox(t)
    fetchMails(t, server)
    await untilWorking(mailbox)
    tokens.revoke()
    await server.db`update mailboxes set version = version + 1 where id = ${mailbox.id}`
    await endPause(mailbox)
    await until(async () => (await findMailbox(server, mailbox)).state === 'broken')
    assert.equal((await findMailbox(server, mailbox)).last_error.code, 'access_revoked')
    const { requests } = tokens
    await endPause(mailbox)
    await until(async () => !(await isDue(mailbox)))
    assert.equal(tokens.requests, requests)
    await dovecot.deliver('token@example.com', makeMail())
    const begun = await olga.api.post(`/mailboxes/${mailbox.id}/sign-in`, {})
    const { page: _, ...returned } = await passConsent(begun.body.authorize_url)
    const { body } = await olga.api.post('/mailboxes/finish-sign-in', returned)
    assert.equal(body.trial.code, 'connected')
    await untilWorking(mailbox)
    await until(async () =>
      (await listMails(server, server.acme)).some(mail => mail.mailbox_id === mailbox.id),
    )
  },
)

test('waits as long as a token server asks, then continues on its own', installed, async t => {
  const mailbox = await makeTokenMailbox(t)
  tokens.refusals.push({ status: 429, retryAfter: '120' })
  const { requests } = tokens
  fetchMails(t, server)
  const { state, last_error, pause } = await untilFailed(mailbox)
  assert.deepEqual([state, last_error.code], ['active', 'throttled'])
  assert.ok(pause > 100 && pause <= 120, `${pause} s`)
  assert.equal(tokens.requests, requests + 1)
  await endPause(mailbox)
  await untilWorking(mailbox)
  assert.equal(tokens.requests, requests + 2)
})

for (const [text, [from, to]] of [
  ['User is authenticated but not connected.', [1, 5]],
  ['Request is throttled. Suggested Backoff Time: 300 milliseconds', [1, 5]],
  ['Too many requests. Suggested Backoff Time: 120000 milliseconds', [100, 120]],
  ['Too many requests. Suggested Backoff Time: 86400000 milliseconds', [3_500, 3_600]],
] as [string, [number, number]][])
  test(
    `a login that is rejected with “${text}” is retried after a pause, with the same token`,
    installed,
    async t => {
      const mailbox = await makeTokenMailbox(t)
      Object.assign(front, { text, rejected: 0 })
      const { requests } = tokens
      fetchMails(t, server)
      const { state, last_error, pause } = await untilFailed(mailbox)
      assert.deepEqual([state, last_error.code, front.rejected], ['active', 'throttled', 1])
      assert.ok(pause > from && pause <= to, `${pause} s`)
      front.text = ''
      await endPause(mailbox)
      await untilWorking(mailbox)
      assert.equal(tokens.requests, requests + 1)
    },
  )
