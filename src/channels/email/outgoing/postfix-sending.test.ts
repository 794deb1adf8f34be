import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { startDovecot } from '../../../../test/dovecot.ts'
import { openFileContext } from '../../../../test/file-context.ts'
import { startPolicyServer } from '../../../../test/mail/policy-server.ts'
import { openMailbox } from '../../../../test/mail/receiving.ts'
import {
  endSendPause,
  findDelivery,
  findSendFault,
  listRecipients,
  openSender,
  postEmail,
  quickTimes,
  sendMails,
  waitForDelivery,
} from '../../../../test/mail/sending.ts'
import { type Sink, startSink } from '../../../../test/mail/sink.ts'
import { startSmtpProxy } from '../../../../test/mail/smtp-proxy.ts'
import { needs } from '../../../../test/needs.ts'
import { type Postfix, startPostfix } from '../../../../test/postfix.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { until } from '../../../../test/until.ts'

/** Emails that are sent through a real Postfix with problems. It delivers what it accepts to a sink. */

const installed = needs('postfix')
const context = openFileContext()
let server: TestServer
let postfix: Postfix
let sink: Sink
/** What Postfix says about each recipient. */
let decide: (recipient: string) => string

before(async () => {
  if (installed.skip) return
  server = await startServer({ delivers: false })
  context.after(() => server.close())
  sink = await startSink(context)
  const policyPort = await startPolicyServer(context, recipient => decide(recipient))
  postfix = await startPostfix(context, {
    settings: `mydestination =
relayhost = [127.0.0.1]:${sink.port}
smtpd_recipient_restrictions = check_policy_service inet:127.0.0.1:${policyPort}, permit_mynetworks, reject
smtpd_relay_restrictions = permit_mynetworks, reject`,
    tables: {},
  })
})

const accept = () => {
  decide = () => 'DUNNO'
}

/** The emails to any of these recipients, after Postfix has delivered everything. */
async function listArrived(...recipients: string[]) {
  await until(async () => (await postfix.listQueue()).length === 0)
  return sink.mails.filter(({ to }) => to.some(address => recipients.includes(address)))
}

const idOf = (raw: string): string => /^Message-ID:\s+(\S+)/im.exec(raw)![1]!

test('an email that Postfix first defers arrives once', installed, async t => {
  let count = 0
  decide = () => (++count <= 3 ? '451 4.3.0 Come again' : 'DUNNO')
  const sender = await openSender(server, postfix)
  sendMails(t, server)
  const id = await postEmail(server, sender, { to: ['deferred@example.net'] })
  const delivery = await waitForDelivery(server, id)
  assert.partialDeepStrictEqual(delivery, { status: 'sent', error: null, attempts: 4 })
  assert.equal((await listArrived('deferred@example.net')).length, 1)
})

test(
  'if Postfix refuses one of three recipients, only that one fails, and the others get the email once',
  installed,
  async t => {
    decide = recipient => (recipient === 'gone@example.net' ? '550 5.1.1 No such user' : 'DUNNO')
    const sender = await openSender(server, postfix)
    sendMails(t, server)
    const to = ['one@example.net', 'gone@example.net', 'two@example.net']
    const id = await postEmail(server, sender, { to })
    const { status, error } = await waitForDelivery(server, id)
    assert.equal(status, 'sent')
    assert.match(error!, /^550 5\.1\.1 <gone@example\.net>: Recipient address rejected: No such user$/)
    assert.deepEqual(await listRecipients(server, id), [
      'gone@example.net failed 550',
      'one@example.net sent',
      'two@example.net sent',
    ])
    const arrived = await listArrived(...to)
    assert.deepEqual(arrived.flatMap(mail => mail.to).sort(), ['one@example.net', 'two@example.net'])
  },
)

test(
  'an email whose connection is cut after the final dot arrives twice with the same Message-ID, and is marked',
  installed,
  async t => {
    accept()
    const proxy = await startSmtpProxy(t, postfix.port)
    proxy.state.mode = 'cut'
    const sender = await openSender(server, proxy)
    sendMails(t, server)
    const id = await postEmail(server, sender, { to: ['cut@example.net'] })
    const delivery = await waitForDelivery(server, id)
    assert.partialDeepStrictEqual(delivery, { status: 'sent', error: 'maybe_sent_twice', attempts: 2 })
    const arrived = await listArrived('cut@example.net')
    assert.equal(arrived.length, 2)
    assert.equal(new Set(arrived.map(({ raw }) => idOf(raw))).size, 1)
  },
)

test(
  'a Postfix that does not greet pauses the mailbox, and the email arrives when Postfix responds again',
  installed,
  async t => {
    accept()
    const proxy = await startSmtpProxy(t, postfix.port)
    proxy.state.mode = 'hang'
    const sender = await openSender(server, proxy)
    const timeouts = { connectMs: 5_000, commandMs: 10_000, answerMs: 10_000 }
    sendMails(t, server, { ...quickTimes, timeouts })
    const id = await postEmail(server, sender, { to: ['hanging@example.net'] })
    await until(async () => (await findSendFault(server, sender)).code === 'no_greeting')
    assert.equal((await findDelivery(server, id)).status, 'pending')
    proxy.state.mode = 'pass'
    await endSendPause(server, sender)
    await waitForDelivery(server, id)
    assert.equal((await listArrived('hanging@example.net')).length, 1)
  },
)

test(
  'a mailbox that requires STARTTLS sends nothing to a Postfix without it, and says so',
  installed,
  async t => {
    accept()
    const sender = await openSender(server, { ...postfix, security: 'starttls' })
    sendMails(t, server)
    const id = await postEmail(server, sender, { to: ['plain@example.net'] })
    await until(async () => (await findSendFault(server, sender)).code === 'no_starttls')
    assert.partialDeepStrictEqual(await findDelivery(server, id), { status: 'pending', attempts: 0 })
    assert.equal((await listArrived('plain@example.net')).length, 0)
  },
)

test('a refused login pauses the mailbox, and the email arrives when the login works', {
  skip: installed.skip || needs('dovecot').skip,
}, async t => {
  const dovecot = await startDovecot(t, { users: { support: 'other' } })
  const secured = await startPostfix(t, {
    settings: `mydestination =
relayhost = [127.0.0.1]:${sink.port}
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = inet:127.0.0.1:${dovecot.authPort}
smtpd_relay_restrictions = permit_sasl_authenticated, reject`,
    tables: {},
  })
  const login = { security: 'none', auth: 'password', user: 'support', password: 'secret' } as const
  const sender = await openMailbox({ server }, 'login@desk.example.com', {
    sending: 'smtp',
    smtp: { host: '127.0.0.1', port: secured.port, ...login },
  })
  sendMails(t, server)
  const id = await postEmail(server, sender, { to: ['login@example.net'] })
  await until(async () => (await findSendFault(server, sender)).code === 'send_login_refused')
  assert.partialDeepStrictEqual(await findDelivery(server, id), { status: 'pending', attempts: 0 })
  writeFileSync(join(dovecot.folder, 'users'), 'support:{PLAIN}secret\n')
  await endSendPause(server, sender)
  await waitForDelivery(server, id)
  await until(async () => (await secured.listQueue()).length === 0)
  assert.equal((await listArrived('login@example.net')).length, 1)
})
