import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertEnvelope } from '../../../../test/client.ts'
import { joinCast, type Person } from '../../../../test/operator.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { findFetchedMailbox } from './queries.ts'
import { openSecrets } from './secrets.ts'
import { readSmtpLogin } from './smtp-login.ts'

/** How a mailbox sends: its settings over the dashboard's API. */

let server: TestServer
let olga: Person
let rita: Person
let count = 0

before(async () => {
  const config = { publicUrl: 'https://desk.example.com', mailFrom: 'Desk <desk@example.com>' }
  server = await startServer({ delivers: false, config })
  ;({ olga, rita } = await joinCast(server))
})
after(() => server.close())

const imap = { host: 'imap.example.com', password: 'imap-password', user: 'ann' }
const google = {
  ...{ provider: 'google', client_id: 'desk', client_secret: 's', refresh_token: 'r' },
}
const make = (fields: object) =>
  olga.api.post('/mailboxes', { address: `box${++count}@example.com`, incoming: 'imap', imap, ...fields })

async function loginOf(id: string, token: string | null = null) {
  const mailbox = (await findFetchedMailbox(server.db, server.acme.id, id))!
  return readSmtpLogin(mailbox, openSecrets(server.vault, mailbox), token)
}

const refusalOf = ({ status, body }: { status: number; body: { detail: Record<string, string> } }) =>
  `${status} ${body.detail?.field} ${body.detail?.reason}`

test('sends with the login of the IMAP server, or with its own, and never returns passwords', async () => {
  const same = await make({ sending: 'smtp', smtp: { host: 'smtp.example.com' } })
  assert.equal(same.status, 201, same.text)
  assert.deepEqual(same.body.smtp, {
    ...{ host: 'smtp.example.com', port: 465, security: 'tls', user: '', auth: 'imap' },
  })
  assert.deepEqual((await loginOf(same.body.id)).auth, { user: 'ann', pass: 'imap-password' })
  const own = await make({
    sending: 'smtp',
    smtp: { host: 'smtp.example.net', security: 'starttls', user: 'bob', password: 'smtp-password' },
  })
  assert.deepEqual([own.body.smtp.port, own.body.smtp.auth], [587, 'password'])
  assert.equal(own.text.includes('smtp-password'), false)
  const login = await loginOf(own.body.id)
  assert.deepEqual(login.auth, { user: 'bob', pass: 'smtp-password' })
  assert.deepEqual([login.secure, login.requireTLS], [false, true])
  const rows =
    await server.db`select encode(secrets, 'escape') as secrets from mailboxes where secrets is not null`
  assert.ok(rows.every(({ secrets }) => !secrets.includes('smtp-password')))
  const { items } = (await server.api.get('/mailboxes')).body
  const shown = items.find(({ id }: { id: string }) => id === own.body.id)
  assert.deepEqual([shown.sending, shown.send_error, shown.smtp], ['smtp', null, undefined])
})

test('a mailbox with OAuth 2 sends with its token through the server of its provider', async () => {
  const { body } = await make({ imap: { oauth: google }, sending: 'smtp', smtp: {} })
  assert.deepEqual([body.smtp.host, body.smtp.port, body.smtp.auth], ['smtp.gmail.com', 465, 'imap'])
  assert.deepEqual((await loginOf(body.id, 'token')).auth, {
    ...{ type: 'OAuth2', user: body.address, accessToken: 'token' },
  })
  const moved = await olga.api.patch(`/mailboxes/${body.id}`, { smtp: { host: 'smtp.evil.example' } })
  assert.equal(refusalOf(moved), '422 smtp.host other_provider')
})

test('keeps the password for sending when other settings change, and requires it again for another server', async () => {
  const { body } = await make({
    ...{ sending: 'smtp', smtp: { host: 'smtp.example.net', user: 'bob', password: 'smtp-password' } },
  })
  const one = `/mailboxes/${body.id}`
  const changed = await olga.api.patch(one, {
    ...{
      imap: { port: 143, security: 'starttls' },
      smtp: { port: 587, security: 'starttls' },
      history: 'all',
    },
  })
  assert.deepEqual([changed.status, changed.body.history], [200, 'all'])
  assert.deepEqual((await loginOf(body.id)).auth, { user: 'bob', pass: 'smtp-password' })
  for (const smtp of [{ host: 'smtp.evil.example' }, { security: 'none' }])
    assert.equal(refusalOf(await olga.api.patch(one, { smtp })), '422 smtp.password required')
})

test('gives the login of the IMAP server to another server only with its password', async () => {
  const { body } = await make({})
  const one = `/mailboxes/${body.id}`
  const to = (smtp: object, rest: object = {}) => olga.api.patch(one, { sending: 'smtp', smtp, ...rest })
  assert.equal(refusalOf(await to({ host: 'smtp.evil.example' })), '422 imap.password required')
  assert.equal(refusalOf(await to({ host: imap.host, security: 'none' })), '422 imap.password required')
  assert.equal((await to({ host: imap.host })).status, 200)
  const again = await to({ host: 'smtp.example.net' }, { imap: { password: 'imap-password' } })
  assert.equal(again.body.smtp.host, 'smtp.example.net')
})

test('rejects inconsistent settings for sending', async () => {
  const reasonFor = async (fields: object) => refusalOf(await make(fields))
  assert.equal(await reasonFor({ sending: 'smtp' }), '422 smtp required')
  assert.equal(await reasonFor({ sending: 'smtp', smtp: {} }), '422 smtp.host required')
  assert.equal(await reasonFor({ sending: 'installation' }), '422 sending no_smtp_url')
  const listening = { incoming: 'listen', imap: undefined, sending: 'smtp' }
  const smtp = { host: 'smtp.example.com', auth: 'imap' }
  assert.equal(await reasonFor({ ...listening, smtp }), '422 smtp.auth no_imap_login')
  const inside = { host: '127.0.0.1', auth: 'none' }
  assert.equal(await reasonFor({ ...listening, smtp: inside }), '422 smtp.host blocked_address')
})

test('the address of MAIL_FROM cannot become a mailbox or an alias', async () => {
  assert.equal(refusalOf(await make({ address: 'Desk@Example.com' })), '422 address sends_letters')
  assert.equal(refusalOf(await make({ aliases: ['desk@example.com'] })), '422 aliases sends_letters')
  const { body } = await make({})
  const changed = await olga.api.patch(`/mailboxes/${body.id}`, { aliases: ['desk@example.com'] })
  assert.equal(refusalOf(changed), '422 aliases sends_letters')
  const detected = await olga.api.post('/mailboxes/detect', { address: 'desk@example.com' })
  assert.equal(refusalOf(detected), '422 address sends_letters')
})

const failWith = (id: string, code: string, failures: number) => server.db`
  update mailboxes set send_failures = ${failures}, send_backoff_until = now() + interval '1 hour',
    send_error = ${server.db.json({ code, values: { host: 'smtp.example.com' }, at: '2026-01-01T00:00:00.000000' })}
  where project_id = ${server.acme.id} and id = ${id}`

test('shows a problem with sending until the settings change, and makes waiting emails due', async () => {
  const { body } = await make({ sending: 'smtp', smtp: { host: 'smtp.example.com' } })
  await failWith(body.id, 'not_smtp', 1)
  const shown = (await olga.api.get(`/mailboxes/${body.id}`)).body
  assert.match(shown.send_error.text, /^smtp\.example\.com does not offer SMTP/)
  assert.deepEqual(
    (await olga.api.get('/mailboxes/outages')).body.items.map((one: object) =>
      Object.values(one).slice(1, 3),
    ),
    [[body.address, 'sending']],
  )
  assert.deepEqual((await rita.api.get('/mailboxes/outages')).body.items, [])
  const changed = await olga.api.patch(`/mailboxes/${body.id}`, { smtp: { port: 587 } })
  assert.deepEqual([changed.body.send_error, changed.body.send_backoff_until], [null, null])
  const due = await server.db`
    select from due_work where project_id = ${server.acme.id} and kind = 'outgoing' and subject_id = ${body.id}`
  assert.equal(due.length, 1)
  assert.deepEqual((await olga.api.get('/mailboxes/outages')).body.items, [])
})

test('a temporary sending problem is not shown while no email is waiting', async () => {
  const { body } = await make({ sending: 'smtp', smtp: { host: 'smtp.example.com' } })
  await failWith(body.id, 'unreachable', 6)
  await server.db`update mailboxes set send_failing_since = now() - interval '16 minutes' where id = ${body.id}`
  assert.deepEqual((await olga.api.get('/mailboxes/outages')).body.items, [])
  assertEnvelope(await rita.api.patch(`/mailboxes/${body.id}`, { sending: 'none' }), 404, 'MAILBOX_NOT_FOUND')
})
