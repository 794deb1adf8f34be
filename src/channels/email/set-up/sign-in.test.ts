import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import { assertEnvelope } from '../../../../test/client.ts'
import { type Dovecot, startDovecot } from '../../../../test/dovecot.ts'
import { openFileContext } from '../../../../test/file-context.ts'
import { findMailbox, makeMail } from '../../../../test/mail.ts'
import { needs } from '../../../../test/needs.ts'
import { joinCast, joinProject, openBrowser, type Person } from '../../../../test/operator.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { passConsent, startTokenServer, type TokenServer } from '../../../../test/token-server.ts'
import { findFetchedMailbox } from '../mailboxes/queries.ts'
import { openSecrets } from '../mailboxes/secrets.ts'
import { deleteExpiredSignIns } from './sign-in-queries.ts'

/** Signing in with the provider of a mailbox, over HTTP. */

const installed = needs('dovecot')

let server: TestServer
let olga: Person
let omar: Person
let rita: Person
let dovecot: Dovecot
let provider: TokenServer
let count = 0
const context = openFileContext()

before(async () => {
  if (installed.skip) return
  server = await startServer({ delivers: false })
  context.after(() => server.close())
  ;({ olga, omar, rita } = await joinCast(server))
  provider = await startTokenServer(context, '')
  dovecot = await startDovecot(context, { users: {}, introspection: provider.introspectionUrl })
})
beforeEach(() => {
  if (provider)
    Object.assign(provider, { email: `box${++count}@example.com`, secret: 'app secret', isOffline: true })
})

const oauth = (rest: object = {}) => ({
  ...{ provider: 'custom', client_id: 'desk', client_secret: 'app secret', scope: 'mail' },
  ...{ authorize_url: provider.authorizeUrl, token_url: provider.tokenUrl },
  ...rest,
})

const imapWith = (rest: object = {}) => ({
  ...{ host: '127.0.0.1', port: dovecot.imapPort, security: 'none', user: provider.email },
  oauth: oauth(rest),
})

const begin = (rest: object = {}, person = olga) =>
  person.api.post('/mailboxes/sign-in', { address: provider.email, imap: imapWith(rest), start_from: 'all' })

const finish = (returned: Partial<Awaited<ReturnType<typeof passConsent>>>, person = olga) => {
  const { page: _, ...body } = returned
  return person.api.post('/mailboxes/finish-sign-in', body)
}

/** Signs in for a new mailbox and allows access. */
async function signIn(rest: object = {}) {
  const begun = await begin(rest)
  assert.equal(begun.status, 200, begun.text)
  const finished = await finish(await passConsent(begun.body.authorize_url))
  assert.equal(finished.status, 200, finished.text)
  return finished.body
}

const again = async (id: string, body: object = {}) => {
  const begun = await olga.api.post(`/mailboxes/${id}/sign-in`, body)
  assert.equal(begun.status, 200, begun.text)
  return (await finish(await passConsent(begun.body.authorize_url))).body
}

const listMailboxes = async (): Promise<{ address: string }[]> =>
  (await olga.api.get('/mailboxes')).body.items

const isStored = async () => (await listMailboxes()).some(({ address }) => address === provider.email)

const secretsOf = async (id: string) =>
  openSecrets(server.vault, (await findFetchedMailbox(server.db, server.acme.id, id))!)

test('signing in adds a mailbox if its login works, with an entry in the audit log', installed, async () => {
  await dovecot.deliver(provider.email, makeMail())
  const begun = await begin()
  const asked = new URL(begun.body.authorize_url).searchParams
  assert.equal(await isStored(), false)
  const returned = await passConsent(begun.body.authorize_url)
  const { redirect_uri } = (await olga.api.get('/mailboxes/sign-in')).body
  assert.deepEqual([returned.page, asked.get('redirect_uri')], [redirect_uri, redirect_uri])
  const { body, text } = await finish(returned)
  assert.deepEqual(
    [body.trial.code, body.trial.mails, body.is_new, body.authorize_url],
    ['connected', 1, true, null],
    text,
  )
  const mailbox = (await olga.api.get(`/mailboxes/${body.mailbox_id}`)).body
  assert.partialDeepStrictEqual(mailbox, {
    ...{ address: provider.email, incoming: 'imap', state: 'active', start_from: 'all' },
    imap: { user: provider.email, auth: 'oauth', oauth: { grant: 'refresh_token', client_id: 'desk' } },
  })
  const { refresh_token, client_secret } = await secretsOf(mailbox.id)
  assert.deepEqual([refresh_token, client_secret], [provider.refreshToken, 'app secret'])
  const [entry] = (await olga.api.get('/audit')).body.items
  assert.partialDeepStrictEqual(entry, { action: 'mailbox.created', author_id: olga.id })
  assert.ok(![text, JSON.stringify(mailbox), JSON.stringify(entry)].some(one => one.includes(refresh_token!)))
})

test(
  'the provider gets a challenge instead of the verifier, and the parameters for a refresh token',
  installed,
  async () => {
    const ask = async (rest: object) => new URL((await begin(rest)).body.authorize_url).searchParams
    const [google, microsoft] = [await ask({ provider: 'google' }), await ask({ provider: 'microsoft' })]
    assert.deepEqual(
      ['access_type', 'prompt', 'login_hint'].map(name => google.get(name)),
      ['offline', 'consent select_account', provider.email],
    )
    assert.deepEqual([microsoft.get('prompt'), microsoft.get('login_hint')], ['select_account', null])
    assert.equal(google.get('code_challenge_method'), 'S256')
    assert.match(google.get('code_challenge')!, /^[\w-]{43}$/)
    assert.notEqual(google.get('state'), microsoft.get('state'))
    const tenant = await olga.api.post('/mailboxes/sign-in', {
      address: provider.email,
      imap: { oauth: { provider: 'microsoft', client_id: 'desk', tenant: 'contoso' } },
    })
    const { origin, pathname, searchParams } = new URL(tenant.body.authorize_url)
    assert.equal(origin + pathname, 'https://login.microsoftonline.com/contoso/oauth2/v2.0/authorize')
    assert.match(searchParams.get('scope')!, /\boffline_access\b/)
  },
)

test('a state works once', installed, async () => {
  const { body } = await begin()
  const returned = await passConsent(body.authorize_url)
  assert.equal((await finish(returned)).body.trial.ok, true)
  assertEnvelope(await finish(returned), 404, 'MAILBOX_SIGN_IN_NOT_FOUND')
})

test('a state of another session, person or project is refused and stays valid', installed, async () => {
  const lea = await joinProject(server, server.acme, { name: 'Lea', role: 'admin' })
  const returned = await passConsent((await begin()).body.authorize_url)
  const elsewhere = openBrowser(server)
  const { email, password } = olga
  assert.equal((await elsewhere.auth.post('/sign-in/email', { email, password })).status, 200)
  const strangers = [lea, rita, { ...olga, api: elsewhere.of(server.acme) }]
  for (const person of strangers)
    assertEnvelope(await finish(returned, person), 404, 'MAILBOX_SIGN_IN_NOT_FOUND')
  assert.equal((await finish(returned)).body.trial.ok, true)
})

test('a state expires after 10 minutes', installed, async () => {
  const returned = await passConsent((await begin()).body.authorize_url)
  await server.db`update mailbox_sign_ins set expires_at = expires_at - interval '10 minutes'`
  const requests = provider.requests
  assertEnvelope(await finish(returned), 404, 'MAILBOX_SIGN_IN_NOT_FOUND')
  assert.equal(provider.requests, requests)
  assert.ok((await deleteExpiredSignIns(server.db)) > 0)
  assert.deepEqual([...(await server.db`select from mailbox_sign_ins`)], [])
})

test('only admins of the project sign in', installed, async () => {
  const { body } = await begin()
  assertEnvelope(await begin({}, omar), 403, 'ROLE_REQUIRED')
  assertEnvelope(await finish(await passConsent(body.authorize_url), omar), 403, 'ROLE_REQUIRED')
  assertEnvelope(await omar.api.get('/mailboxes/sign-in'), 403, 'ROLE_REQUIRED')
  const { mailbox_id } = await signIn()
  assertEnvelope(await omar.api.post(`/mailboxes/${mailbox_id}/sign-in`, {}), 403, 'ROLE_REQUIRED')
  assertEnvelope(await rita.api.post(`/mailboxes/${mailbox_id}/sign-in`, {}), 404, 'MAILBOX_NOT_FOUND')
})

test(
  'after a problem nothing is stored, its code says what to do, and the same values can be tried again',
  installed,
  async () => {
    const codeOf = async (rest: object = {}) => (await signIn(rest)).trial.code
    const denied = await finish(await passConsent((await begin()).body.authorize_url, 'deny'))
    assert.equal(denied.body.trial.code, 'sign_in_denied')
    assert.equal(await codeOf({ client_secret: 'mistyped' }), 'app_refused')
    provider.isOffline = false
    assert.equal(await codeOf(), 'no_refresh_token')
    provider.isOffline = true
    provider.refusals.push(
      { status: 400, error: 'redirect_uri_mismatch' },
      { status: 400, error: 'invalid_grant' },
    )
    assert.equal(await codeOf(), 'redirect_refused')
    assert.equal(await codeOf(), 'sign_in_ended')
    const returned = {
      ...(await passConsent((await begin()).body.authorize_url)),
      iss: 'https://other.example',
    }
    assert.equal((await finish(returned)).body.trial.code, 'other_provider')
    assert.equal(await isStored(), false)
    const retried = await finish(await passConsent(denied.body.authorize_url))
    assert.equal(retried.body.trial.ok, true, retried.text)
    assert.equal(await isStored(), true)
  },
)

test('an account without access to the mailbox changes nothing', installed, async () => {
  const { mailbox_id } = await signIn()
  const before = await secretsOf(mailbox_id)
  provider.email = 'wrong@example.com'
  const { trial, authorize_url } = await again(mailbox_id)
  assert.equal(trial.code, 'access_denied')
  assert.ok(authorize_url)
  assert.deepEqual(await secretsOf(mailbox_id), before)
})

test('signing in again replaces the tokens and nothing else', installed, async () => {
  const { mailbox_id } = await signIn()
  const folder = { project_id: server.acme.id, mailbox_id, path: 'INBOX', uid_validity: 1, next_uid: 8 }
  await server.db`insert into mailbox_folders ${server.db(folder)}`
  await olga.api.patch(`/mailboxes/${mailbox_id}`, { name: 'Acme' })
  await server.db`update mailboxes set state = 'broken',
    last_error = '{"code": "access_revoked", "values": {}, "at": "2026-01-01"}' where id = ${mailbox_id}`
  const settings = async () => {
    const { state, version, last_error, ...rest } = (await olga.api.get(`/mailboxes/${mailbox_id}`)).body
    return rest
  }
  const before = await settings()
  const { trial, is_new } = await again(mailbox_id)
  assert.deepEqual([trial.code, is_new], ['connected', false])
  assert.deepEqual(await settings(), before)
  assert.equal((await findMailbox(server, { id: mailbox_id })).state, 'active')
  const [row] = await server.db`select next_uid from mailbox_folders where mailbox_id = ${mailbox_id}`
  assert.equal(row!.next_uid, 8)
  const { refresh_token, client_secret } = await secretsOf(mailbox_id)
  assert.deepEqual([refresh_token, client_secret], [provider.refreshToken, 'app secret'])
})

test('a stored client secret is not sent to another token server', installed, async () => {
  const { mailbox_id } = await signIn()
  const other = provider.tokenUrl.replace('/token', '/other')
  const { trial } = await again(mailbox_id, { imap: { oauth: { token_url: other } } })
  assert.equal(trial.code, 'app_refused')
})

test('an address in a network that projects may not access gets no request', installed, async t => {
  const other = await startServer({ delivers: false, config: { publicUrl: 'https://desk.example.com' } })
  t.after(() => other.close())
  const { api } = await joinProject(other, other.acme, { role: 'owner' })
  const beginAt = (token_url: string) =>
    api.post('/mailboxes/sign-in', {
      address: provider.email,
      imap: { ...imapWith({ token_url }), host: 'localhost' },
    })
  const field = 'imap.oauth.token_url'
  const refused = await beginAt(provider.tokenUrl)
  assertEnvelope(refused, 422, 'VALIDATION_ERROR', { field, reason: 'blocked_address' })
  const { requests } = provider
  const begun = await beginAt(provider.tokenUrl.replace('127.0.0.1', 'localhost'))
  const { page: _, ...returned } = await passConsent(begun.body.authorize_url)
  const { body } = await api.post('/mailboxes/finish-sign-in', returned)
  assert.deepEqual([body.trial.code, body.mailbox_id], ['eblocked', null])
  assert.equal(provider.requests, requests)
})
