import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { before, test } from 'node:test'
import { openFileContext } from '../../../../test/file-context.ts'
import { freePort } from '../../../../test/free-port.ts'
import { joinCast, type Person } from '../../../../test/operator.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { refuseWith, type Submission, startSubmission } from '../../../../test/submission.ts'

/** Testing whether a mailbox can send, with real SMTP servers. */

let server: TestServer
let olga: Person
let submission: Submission
const context = openFileContext()

before(async () => {
  submission = await startSubmission(context, { users: { ann: 'secret' } })
  const letters = await startSubmission(context, { users: { ann: 'secret' } })
  const config = {
    smtpUrl: `smtp://ann:secret@127.0.0.1:${letters.port}`,
    mailFrom: 'Desk <desk@example.com>',
    mailListen: [{ protocol: 'smtp' as const, host: '127.0.0.1', port: 2525 }],
  }
  server = await startServer({ delivers: false, config })
  context.after(() => server.close())
  ;({ olga } = await joinCast(server))
})

const plain = (rest: object = {}) => ({
  ...{ host: '127.0.0.1', port: submission.port, security: 'none', user: 'ann', password: 'secret' },
  ...rest,
})

const trySmtp = async (smtp: object) => {
  const { status, body, text } = await olga.api.post('/mailboxes/try', {
    ...{ address: 'support@example.com', sending: 'smtp', smtp },
  })
  assert.equal(status, 200, text)
  return body
}

const codeFor = async (smtp: object): Promise<string> => (await trySmtp(smtp)).sending.code

test('tests the login of a server for sending without sending or storing anything', async () => {
  const { ok, sending } = await trySmtp(plain())
  assert.deepEqual([ok, sending.ok, sending.code], [true, true, 'can_send'])
  assert.equal(sending.text, '127.0.0.1 is ready to send email from support@example.com.')
  assert.deepEqual(submission.mails, [])
  assert.deepEqual((await olga.api.get('/mailboxes')).body.items, [])
})

test('tests the server of SMTP_URL, and reports nothing for a mailbox that does not send', async () => {
  const tryWay = (sending: string) =>
    olga.api.post('/mailboxes/try', { address: 'support@example.com', sending })
  const { body } = await tryWay('installation')
  assert.deepEqual([body.sending.ok, body.sending.code], [true, 'can_send'])
  assert.equal((await tryWay('none')).body.sending, null)
})

test('reports each wrong setting for sending with its own code', async t => {
  const other = createServer(socket => socket.end('* OK IMAP4rev1 ready\r\n')).listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.after(() => other.close())
  const encrypted = await startSubmission(t, { secure: true, users: { ann: 'secret' } })
  const upgrading = await startSubmission(t, { disabledCommands: [], users: { ann: 'secret' } })
  const relay = await startSubmission(t, { disabledCommands: ['STARTTLS', 'AUTH'], authOptional: true })
  const disabled = await startSubmission(t, {
    onAuth: (_auth, _session, done) =>
      done(refuseWith(535, '5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled')),
  })
  const limited = await startSubmission(t, {
    onAuth: (_auth, _session, done) => done(refuseWith(454, '4.7.0 Too many login attempts')),
  })
  const found = await Promise.all([
    codeFor(plain({ password: 'mistyped' })),
    codeFor(plain({ port: await freePort() })),
    codeFor(plain({ host: 'mail.invalid' })),
    codeFor(plain({ security: 'tls' })),
    codeFor(plain({ security: 'starttls' })),
    codeFor(plain({ port: encrypted.port, security: 'tls' })),
    codeFor(plain({ port: upgrading.port, security: 'starttls' })),
    codeFor(plain({ port: (other.address() as AddressInfo).port })),
    codeFor(plain({ port: relay.port })),
    codeFor(plain({ port: disabled.port })),
    codeFor(plain({ port: limited.port })),
  ])
  assert.deepEqual(found, [
    'send_login_refused',
    'econnrefused',
    'enotfound',
    'not_smtp',
    'no_starttls',
    'certificate',
    'certificate',
    'not_smtp',
    'no_login_offered',
    'smtp_disabled',
    'send_limit',
  ])
})

test('an existing mailbox is tested with its stored login', async () => {
  const made = await olga.api.post('/mailboxes', {
    ...{ address: 'stored@example.com', incoming: 'none', sending: 'smtp', smtp: plain() },
  })
  assert.equal(made.status, 201, made.text)
  const { body } = await olga.api.post(`/mailboxes/${made.body.id}/test`)
  assert.deepEqual([body.code, body.sending.code], ['not_receiving', 'can_send'])
  assert.equal(submission.logins.at(-1), 'PLAIN ann secret')
})
