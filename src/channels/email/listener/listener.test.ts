import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import nodemailer from 'nodemailer'
import { certificate } from '../../../../test/certificate.ts'
import { deliverByLmtp } from '../../../../test/dovecot.ts'
import { listMails, makeListeningMailbox, makeMail, readMail } from '../../../../test/mail.ts'
import { mustRun } from '../../../../test/must-run.ts'
import { needs } from '../../../../test/needs.ts'
import { makeFolder } from '../../../../test/run/program.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { createStorages } from '../../../media/media.ts'
import { pauseMailbox } from '../mailboxes/mailboxes.ts'
import { createCounts, startListening } from './listener.ts'

/** Receives email by SMTP and LMTP. */

let server: TestServer
let listening: Awaited<ReturnType<typeof startListening>>

before(async () => {
  server = await startServer({
    delivers: false,
    config: {
      mailListen: [
        { protocol: 'smtp', host: '127.0.0.1', port: 0 },
        { protocol: 'lmtp', host: '127.0.0.1', port: 0 },
      ],
      mailConnectionsPerIp: 3,
    },
  })
  listening = await startListening({ ...server, storages: createStorages(server) })
})
after(async () => {
  await listening.stop()
  await server.close()
})

/** Sends lines one by one and returns the server's reply to each. */
async function talk(lines: (string | Buffer)[], port = listening.ports[0]!): Promise<string[]> {
  const socket: Socket = connect(port, '127.0.0.1')
  const answers: string[] = []
  let text = ''
  const next = () =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = /(?:^|\r\n)(\d{3} [^\r]*)\r\n$/.exec(text)
        if (!found) return
        text = ''
        socket.off('data', read)
        resolve(found[1]!)
      }
      const read = (data: Buffer) => {
        text += data
        look()
      }
      socket
        .on('data', read)
        .once('error', reject)
        .once('close', () => resolve('closed'))
    })
  answers.push(await next())
  for (const line of lines) {
    socket.write(Buffer.isBuffer(line) ? line : `${line}\r\n`)
    answers.push(await next())
  }
  socket.destroy()
  return answers
}

const codesOf = (answers: string[]): number[] => answers.map(answer => Number(answer.slice(0, 3)))
const envelope = (to: string) => ['EHLO client.example.com', 'MAIL FROM:<ann@example.com>', `RCPT TO:<${to}>`]

test('accepts an email only after storing it with its envelope and NUL bytes, and only for its own project', async () => {
  const mailbox = await makeListeningMailbox(server, 'listen@example.com')
  const mail = makeMail('Nothing is changed', 'NUL \0 here')
  const answers = await talk([...envelope('Listen+tag@Example.com'), 'DATA', Buffer.from(`${mail}.\r\n`)])
  assert.deepEqual(codesOf(answers), [220, 250, 250, 250, 354, 250])
  const [stored] = (await listMails(server, server.acme)).filter(one => one.mailbox_id === mailbox.id)
  assert.deepEqual(
    [stored!.source, stored!.state, stored!.envelope_from, stored!.envelope_to],
    ['smtp', 'stored', 'ann@example.com', ['Listen+tag@Example.com']],
  )
  const text = (await readMail(server, stored!)).toString()
  assert.match(
    text,
    /^Return-Path: <ann@example.com>\r\nDelivered-To: Listen\+tag@Example.com\r\nReceived: from/,
  )
  assert.ok(text.endsWith(mail))
  assert.deepEqual(await listMails(server, server.rival), [])
})

test('rejects an unknown recipient, and defers email for a paused mailbox with a temporary error', async () => {
  const mailbox = await makeListeningMailbox(server, 'paused@example.com')
  await pauseMailbox(server.db, { project: server.acme, actor: { type: 'cli' } }, mailbox.id)
  const answers = await talk([...envelope('nobody@example.com'), 'RCPT TO:<paused@example.com>'])
  assert.deepEqual(codesOf(answers), [220, 250, 250, 550, 450])
})

test('stores an email to mailboxes of two projects once in each project', async () => {
  await makeListeningMailbox(server, 'both@acme.example')
  await makeListeningMailbox(server, 'both@rival.example', server.rival)
  const before = (await listMails(server, server.acme)).length
  const lines = [...envelope('both@acme.example'), 'RCPT TO:<both@rival.example>', 'DATA']
  const answers = await talk([...lines, Buffer.from(`${makeMail('For both')}.\r\n`)])
  assert.equal(codesOf(answers).at(-1), 250)
  assert.equal((await listMails(server, server.acme)).length, before + 1)
  const [rivals] = await listMails(server, server.rival)
  const text = (await readMail(server, rivals!)).toString()
  assert.match(text, /Delivered-To: both@rival.example\r\n/)
  assert.doesNotMatch(text, /acme.example/)
})

test('stores an email that is delivered by LMTP', async () => {
  const mailbox = await makeListeningMailbox(server, 'lmtp@example.com')
  await deliverByLmtp(listening.ports[1]!, 'lmtp@example.com', makeMail())
  const mails = (await listMails(server, server.acme)).filter(one => one.mailbox_id === mailbox.id)
  assert.deepEqual(
    mails.map(({ source }) => source),
    ['lmtp'],
  )
})

test('rejects an email whose declared size exceeds the limit before it is sent', async () => {
  const answers = await talk(['EHLO client.example.com', 'MAIL FROM:<ann@example.com> SIZE=200000000'])
  assert.equal(codesOf(answers).at(-1), 552)
})

test('returns a temporary error while the database is unavailable', async () => {
  await makeListeningMailbox(server, 'later@example.com')
  const broken = Object.assign(
    () => {
      throw new Error('connection refused')
    },
    { begin: async () => Promise.reject(new Error('connection refused')) },
  )
  const own = await startListening({
    ...server,
    db: broken as never,
    storages: createStorages(server),
  })
  const answers = await talk(envelope('later@example.com'), own.ports[0]!)
  await own.stop()
  assert.deepEqual(codesOf(answers), [220, 250, 250, 451])
})

test('limits the number of connections per address', async () => {
  const open = [1, 2, 3].map(() => connect(listening.ports[0]!, '127.0.0.1'))
  await Promise.all(open.map(socket => new Promise(resolve => socket.once('data', resolve))))
  assert.match((await talk([]))[0]!, /^421/)
  for (const socket of open) socket.destroy()
})

test('offers STARTTLS if a certificate is configured', async t => {
  const mailbox = await makeListeningMailbox(server, 'tls@example.com')
  const folder = makeFolder(t)
  const [mailTlsCert, mailTlsKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  writeFileSync(mailTlsCert, certificate.cert)
  writeFileSync(mailTlsKey, certificate.key)
  const config = { ...server.config, mailTlsCert, mailTlsKey }
  const own = await startListening({ ...server, config, storages: createStorages(server) })
  t.after(() => own.stop())
  const transport = nodemailer.createTransport({
    host: '127.0.0.1',
    port: own.ports[0]!,
    requireTLS: true,
    tls: { ca: certificate.cert, servername: 'hooks.test' },
  })
  await transport.sendMail({ envelope: { from: 'a@example.com', to: ['tls@example.com'] }, raw: makeMail() })
  transport.close()
  const [row] = await server.db`select client from incoming_mails where mailbox_id = ${mailbox.id}`
  assert.equal(row!.client.is_secure, true)
  assert.doesNotMatch((await talk(['EHLO client.example.com'])).join(), /STARTTLS/)
})

test('accepts a delivery from swaks', needs('swaks'), async () => {
  const mailbox = await makeListeningMailbox(server, 'swaks@example.com')
  const place = ['--server', `127.0.0.1:${listening.ports[0]}`, '--helo', 'client.example.com']
  await mustRun('swaks', [...place, '--to', 'swaks@example.com', '--from', 'a@example.com'])
  const mails = (await listMails(server, server.acme)).filter(one => one.mailbox_id === mailbox.id)
  assert.equal(mails.length, 1)
})

test('counts all connections from a /64 network of IPv6 as those of a single client', () => {
  const counts = createCounts(1)
  assert.equal(counts.enter('2001:db8::1'), true)
  assert.equal(counts.enter('2001:db8::2'), false)
  assert.equal(counts.enter('2001:db8:0:1::2'), true)
  counts.leave('2001:db8::1')
  assert.equal(counts.enter('2001:db8::2'), true)
})
