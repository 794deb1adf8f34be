import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import {
  endSendPause,
  findDelivery,
  findSendFault,
  openSender,
  postEmail,
  quickTimes,
  sendMails,
  waitForDelivery,
} from '../../../../test/mail/sending.ts'
import { reply, startSink } from '../../../../test/mail/sink.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { until } from '../../../../test/until.ts'
import { notifyOutgoingEmail } from '../../../events/notifier.ts'

/** What happens to emails whose mailbox cannot send. */

let server: TestServer

before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

test('a refused login pauses the mailbox, and its emails wait until the login works', async t => {
  let password = 'new'
  const sink = await startSink(t, {
    options: {
      authOptional: false,
      onAuth: (auth, _session, done) =>
        auth.password === password ? done(null, { user: 'a' }) : done(reply(535, '5.7.8 Wrong password')),
    },
  })
  const sender = await openSender(server, sink)
  const { id } = sender
  await server.db`update mailboxes set sending = 'installation' where id = ${id}`
  const smtpUrl = `smtp://support:old@127.0.0.1:${sink.port}`
  sendMails(t, { ...server, config: { ...server.config, smtpUrl } })
  const messageId = await postEmail(server, sender)
  await until(async () => (await findSendFault(server, sender)).code === 'send_login_refused')
  assert.partialDeepStrictEqual(await findDelivery(server, messageId), { status: 'pending', attempts: 0 })
  assert.ok((await findSendFault(server, sender)).send_backoff_until)
  password = 'old'
  await endSendPause(server, sender)
  await waitForDelivery(server, messageId)
  assert.equal(sink.mails.length, 1)
  // The fault is cleared after the delivery is recorded.
  await until(async () => (await findSendFault(server, sender)).code === null)
  assert.equal((await findSendFault(server, sender)).send_failures, 0)
})

test('nothing is sent to a server without the encryption that the mailbox requires', async t => {
  const sink = await startSink(t)
  const sender = await openSender(server, { ...sink, security: 'starttls' })
  sendMails(t, server)
  const id = await postEmail(server, sender)
  await until(async () => (await findSendFault(server, sender)).code === 'no_starttls')
  assert.equal((await findDelivery(server, id)).status, 'pending')
  assert.equal(sink.mails.length, 0)
})

test('an address that projects may not reach is refused', async t => {
  const sink = await startSink(t)
  const sender = await openSender(server, { ...sink, host: 'localhost' })
  sendMails(t, server, quickTimes, () => false)
  await postEmail(server, sender)
  await until(async () => (await findSendFault(server, sender)).code === 'eblocked')
  assert.equal(sink.state.connections, 0)
})

test('a server that does not greet delays no other mailbox', async t => {
  const sockets = new Set<Socket>()
  const silent = createServer(socket => void sockets.add(socket.on('error', () => {})))
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const sink = await startSink(t)
  const dead = await openSender(server, { port: (silent.address() as AddressInfo).port })
  const senders = await Promise.all(Array.from({ length: 10 }, () => openSender(server, sink)))
  const timeouts = { connectMs: 600_000, commandMs: 600_000, answerMs: 600_000 }
  t.after(() => {
    silent.close()
    for (const socket of sockets) socket.destroy()
  })
  sendMails(t, server, { ...quickTimes, timeouts })
  const stuck = [await postEmail(server, dead), await postEmail(server, dead), await postEmail(server, dead)]
  const ids = await Promise.all(senders.map(sender => postEmail(server, sender)))
  for (const id of ids) await waitForDelivery(server, id)
  assert.equal(sink.mails.length, 10)
  for (const id of stuck) assert.equal((await findDelivery(server, id)).status, 'pending')
})

test('an email that was cut off by the end of its process is uncertain only after its last bytes', async t => {
  const { db } = server
  const sink = await startSink(t)
  const sender = await openSender(server, sink)
  const [before, behind] = [await postEmail(server, sender), await postEmail(server, sender)]
  const leave = (id: string, phase: string) => db`
    update outgoing_queue set phase = ${phase}, claim_id = gen_random_uuid(), lease_until = now() - interval '1 s'
    where message_id = ${id}`
  await leave(before, 'waiting')
  await leave(behind, 'ending')
  sendMails(t, server)
  assert.partialDeepStrictEqual(await waitForDelivery(server, before), { status: 'sent', error: null })
  assert.partialDeepStrictEqual(await waitForDelivery(server, behind), {
    status: 'sent',
    error: 'maybe_sent_twice',
  })
})

test('a mailbox that constantly sends does not delay the next attempt of another one', async t => {
  const answers = [reply(451, 'Try again later')]
  const sink = await startSink(t, { onMail: () => answers.pop() ?? 'accept' })
  const [busy, other] = [await openSender(server, sink), await openSender(server, sink)]
  sendMails(t, server)
  const waking = setInterval(() => notifyOutgoingEmail(server.acme.id, busy.id), 1)
  t.after(() => clearInterval(waking))
  const id = await postEmail(server, other)
  assert.partialDeepStrictEqual(await waitForDelivery(server, id), { status: 'sent', attempts: 2 })
})

test('if the server closes an idle connection with 421, the same attempt sends the email on a new connection', async t => {
  const used = new Set<string>()
  const sink = await startSink(t, {
    options: {
      onMailFrom(_address, { id }, done) {
        const isFirst = used.size < used.add(id).size
        done(isFirst ? null : reply(421, '4.4.2 Idle for too long'))
      },
    },
  })
  const sender = await openSender(server, sink)
  sendMails(t, server)
  for (let count = 0; count < 2; count++) {
    const id = await postEmail(server, sender)
    assert.partialDeepStrictEqual(await waitForDelivery(server, id), {
      ...{ status: 'sent', error: null, attempts: 1 },
    })
  }
  assert.deepEqual([sink.mails.length, sink.state.connections], [2, 2])
})
