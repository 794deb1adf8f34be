import assert from 'node:assert/strict'
import { Resolver } from 'node:dns/promises'
import { before, test } from 'node:test'
import { assertEnvelope } from '../../../../test/client.ts'
import { type Dovecot, startDovecot } from '../../../../test/dovecot.ts'
import { openFileContext } from '../../../../test/file-context.ts'
import { freePort } from '../../../../test/free-port.ts'
import { makeMail } from '../../../../test/mail.ts'
import { startNameServer, type Zone } from '../../../../test/name-server.ts'
import { needs } from '../../../../test/needs.ts'
import { joinCast, type Person } from '../../../../test/operator.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { detectServer } from './detect.ts'

/** What the dashboard asks before a mailbox is added. */

const installed = needs('dovecot')

let server: TestServer
let olga: Person
let omar: Person
let dovecot: Dovecot
const context = openFileContext()

before(async () => {
  server = await startServer({ delivers: false })
  context.after(() => server.close())
  ;({ olga, omar } = await joinCast(server))
  if (installed.skip) return
  dovecot = await startDovecot(context, { users: { support: 'secret' } })
})

const tryWith = (imap: object, rest: object = {}) =>
  olga.api.post('/mailboxes/try', {
    address: 'support@example.com',
    imap: {
      ...{ host: '127.0.0.1', port: dovecot.imapPort, security: 'none' },
      ...{ user: 'support', password: 'secret' },
      ...imap,
    },
    ...rest,
  })

test('tests the settings of a new mailbox without storing them', installed, async () => {
  await dovecot.deliver('support', makeMail())
  const { status, body, text } = await tryWith({})
  assert.equal(status, 200, text)
  assert.deepEqual([body.ok, body.code, body.mails, body.folders], [true, 'connected', 1, ['INBOX']])
  assert.deepEqual((await olga.api.get('/mailboxes')).body.items, [])
})

test('reports each wrong setting with its own code and text', installed, async () => {
  const closed = await freePort()
  const found = await Promise.all([
    tryWith({ password: 'mistyped' }),
    tryWith({ port: closed }),
    tryWith({ host: 'mail.invalid' }),
    tryWith({ security: 'tls' }),
    tryWith({ security: 'starttls' }),
    tryWith({ port: dovecot.lmtpPort }),
    tryWith({}, { folders: ['Support'] }),
  ])
  assert.deepEqual(
    found.map(({ body }) => [body.ok, body.code]),
    [
      [false, 'login_refused'],
      [false, 'econnrefused'],
      [false, 'enotfound'],
      [false, 'not_imap'],
      [false, 'no_starttls'],
      [false, 'not_imap'],
      [false, 'folder_missing'],
    ],
  )
  assert.equal(
    found[1]!.body.text,
    `127.0.0.1 refused the connection on port ${closed}. Check the host and the port.`,
  )
})

test('only admins test and look up servers', async () => {
  const body = { address: 'support@example.com' }
  assertEnvelope(await omar.api.post('/mailboxes/detect', body), 403, 'ROLE_REQUIRED')
  const tried = { ...body, imap: { host: 'imap.example.com', password: 'secret' } }
  assertEnvelope(await omar.api.post('/mailboxes/try', tried), 403, 'ROLE_REQUIRED')
  assert.equal((await olga.api.post('/mailboxes/detect', { address: 'support' })).status, 422)
})

const zone: Zone = name => {
  const entry = { ips: [], ttl: 60 }
  if (name === 'bigshop.example') return { ...entry, mx: 'bigshop-example.mail.protection.outlook.com' }
  if (name === 'smallshop.example') return { ...entry, mx: 'aspmx.l.google.com' }
  if (name === 'own.example') return { ...entry, mx: 'mx.own.example' }
  if (name === 'mail.own.example') return { ...entry, ips: ['192.0.2.1'] }
  if (name === 'smtp.own.example') return { ...entry, ips: ['192.0.2.2'] }
  if (name === '_submission._tcp.named.example')
    return { ...entry, srv: { port: 587, host: 'out.named.example' } }
  if (name === 'silent.example') return 'silent'
  return undefined
}

test('finds the provider by MX records, otherwise the servers by SRV records and usual names', async t => {
  const { servers } = await startNameServer(t, zone)
  // On a busy machine, an answer may take a while.
  const [patient, impatient] = [10_000, 100].map(timeout => new Resolver({ timeout, tries: 1 }))
  for (const dns of [patient!, impatient!]) dns.setServers(servers)
  const domains = ['bigshop', 'smallshop', 'own', 'named', 'silent', 'nothing']
  const found = await Promise.all(
    domains.map(domain =>
      detectServer(
        { mailListen: [], smtpUrl: null, mailFrom: null },
        `support@${domain}.example`,
        domain === 'silent' ? impatient! : patient!,
      ),
    ),
  )
  assert.deepEqual(
    found.map(({ provider, host, is_guess, smtp }) => [
      ...[provider, host, is_guess],
      smtp && `${smtp.host}:${smtp.port} ${smtp.security}`,
    ]),
    [
      ['microsoft', 'outlook.office365.com', false, 'smtp.office365.com:587 starttls'],
      ['google', 'imap.gmail.com', false, 'smtp.gmail.com:465 tls'],
      [null, 'mail.own.example', true, 'smtp.own.example:465 tls'],
      [null, '', true, 'out.named.example:587 starttls'],
      [null, '', true, null],
      [null, '', true, null],
    ],
  )
})
