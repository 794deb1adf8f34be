import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  findDelivery,
  listRecipients,
  openEmailTicket,
  openSender,
  postEmail,
  quickTimes,
  sendMails,
  waitForDelivery,
} from '../../../../test/mail/sending.ts'
import { reply, type SunkMail, startSink } from '../../../../test/mail/sink.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { until } from '../../../../test/until.ts'

/** What happens to emails at servers that accept, defer, refuse or vanish. */

let server: TestServer

before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

const messageIdOf = ({ raw }: SunkMail): string => /^Message-ID:\s+(\S+)/im.exec(raw)![1]!

const isQueued = async (id: string): Promise<boolean> =>
  (await server.db`select from outgoing_queue where message_id = ${id}`).length > 0

test('sends one email to all recipients, and shows Bcc to nobody', async t => {
  const sink = await startSink(t)
  const sender = await openSender(server, sink)
  sendMails(t, server)
  const id = await postEmail(server, sender, {
    ...{ to: ['ann@example.com'], cc: ['ben@example.com'], bcc: ['zoe@example.com'] },
    content: 'Grüße aus Köln',
  })
  assert.deepEqual(await waitForDelivery(server, id), {
    ...(await findDelivery(server, id)),
    ...{ status: 'sent', error: null, attempts: 1 },
  })
  assert.equal(sink.mails.length, 1)
  const [mail] = sink.mails
  assert.deepEqual(mail!.to.toSorted(), ['ann@example.com', 'ben@example.com', 'zoe@example.com'])
  assert.match(mail!.raw, /^Cc: ben@example\.com\r$/im)
  assert.doesNotMatch(mail!.raw, /zoe@/)
  const { body } = await server.api.get(`/messages/${id}`)
  assert.equal(messageIdOf(mail!), body.email.message_id)
  assert.equal(await isQueued(id), false)
})

test('an email is sent to the address as written, because the part before the @ may be case-sensitive', async t => {
  const sink = await startSink(t)
  const sender = await openSender(server, sink)
  sendMails(t, server)
  const id = await postEmail(server, sender, { to: ['Reply+AbC1@Example.com'], cc: ['Ben@example.com'] })
  assert.equal((await waitForDelivery(server, id)).status, 'sent')
  assert.deepEqual(sink.mails[0]!.to.toSorted(), ['Ben@example.com', 'Reply+AbC1@example.com'])
})

test('a recipient who is a contact is addressed by name', async t => {
  const sink = await startSink(t)
  const sender = await openSender(server, sink)
  const ticket = await openEmailTicket(server)
  await server.api.post('/contacts', { email: ticket.email, full_name: 'Ann Berger' })
  sendMails(t, server)
  const { body } = await server.api.post(`/tickets/${ticket.id}/messages`, {
    content: 'Hello',
    email: { cc: ['ben@example.com'], mailbox_id: sender.id },
  })
  const named = body.email.recipients.map(({ name }: { name: string | null }) => name)
  assert.deepEqual(named, ['Ann Berger', null])
  await waitForDelivery(server, body.id)
  assert.match(sink.mails[0]!.raw, /^To: Ann Berger\s+<ann/m)
})

test('an email that is deferred is tried again with the same bytes', async t => {
  const seen: string[] = []
  const sink = await startSink(t, {
    onMail: ({ raw }) => (seen.push(raw) < 4 ? reply(451, 'Try again later') : 'accept'),
  })
  const sender = await openSender(server, sink)
  sendMails(t, server)
  const id = await postEmail(server, sender)
  assert.partialDeepStrictEqual(await waitForDelivery(server, id), {
    status: 'sent',
    error: null,
    attempts: 4,
  })
  assert.equal(seen.length, 4)
  assert.equal(new Set(seen).size, 1)
})

test('an email that is deferred too often fails with the last answer, and can be sent again', async t => {
  const sink = await startSink(t, { onMail: () => reply(451, 'Try again later') })
  const sender = await openSender(server, sink)
  sendMails(t, server, { ...quickTimes, pauses: [20, 20] })
  const id = await postEmail(server, sender)
  const delivery = await waitForDelivery(server, id)
  assert.partialDeepStrictEqual(delivery, { status: 'failed', error: '451 Try again later', attempts: 3 })
  sink.state.script = {}
  assert.equal((await server.api.post(`/messages/${id}/retry`)).body.delivery.status, 'pending')
  assert.partialDeepStrictEqual(await waitForDelivery(server, id), { status: 'sent', attempts: 4 })
  assert.equal(sink.mails.length, 1)
})

test('a refused recipient fails alone, and the others get the email once', async t => {
  const tries = new Map<string, number>()
  const sink = await startSink(t, {
    onRecipient(address) {
      tries.set(address, (tries.get(address) ?? 0) + 1)
      if (address === 'gone@example.com') return reply(550, '5.1.1 No such user')
      return address === 'busy@example.com' && tries.get(address)! < 3 ? reply(450, '4.2.1 Busy') : undefined
    },
  })
  const sender = await openSender(server, sink)
  sendMails(t, server)
  const id = await postEmail(server, sender, {
    to: ['ann@example.com', 'gone@example.com', 'busy@example.com'],
  })
  assert.partialDeepStrictEqual(await waitForDelivery(server, id), {
    status: 'sent',
    error: '550 5.1.1 No such user',
    attempts: 3,
  })
  assert.deepEqual(await listRecipients(server, id), [
    'ann@example.com sent',
    'busy@example.com sent',
    'gone@example.com failed 550',
  ])
  assert.deepEqual(
    sink.mails.map(({ to }) => to),
    [['ann@example.com'], ['busy@example.com']],
  )
})

test('an email that everybody refuses fails with the code and the words', async t => {
  const sink = await startSink(t, { onRecipient: () => reply(550, '5.1.1 No such user') })
  const sender = await openSender(server, sink)
  sendMails(t, server)
  const id = await postEmail(server, sender)
  const delivery = await waitForDelivery(server, id)
  assert.partialDeepStrictEqual(delivery, { status: 'failed', error: '550 5.1.1 No such user', attempts: 1 })
})

test('without a mailbox that sends, a message fails at once', async () => {
  const sender = await openSender(server, { port: 1 })
  await server.db`update mailboxes set sending = 'none'`
  const { body: ticket } = await server.api.post('/tickets', {
    contact: { email: 'eve@example.com' },
    subject: 'A',
    content: 'B',
  })
  await server.db`update tickets set channel = 'email' where id = ${ticket.id}`
  const { body } = await server.api.post(`/tickets/${ticket.id}/messages`, { content: 'C' })
  assert.partialDeepStrictEqual(body.delivery, { status: 'failed', error: 'no_mailbox' })
  await server.db`delete from mailboxes where id = ${sender.id}`
})

test('an email whose answer is lost is sent once more with the same ID, and is marked', async t => {
  let count = 0
  const sink = await startSink(t, { onMail: () => (count++ ? 'accept' : 'cut') })
  const sender = await openSender(server, sink)
  sendMails(t, server)
  const id = await postEmail(server, sender)
  const delivery = await waitForDelivery(server, id)
  assert.partialDeepStrictEqual(delivery, { status: 'sent', error: 'maybe_sent_twice', attempts: 2 })
  assert.equal(sink.mails.length, 2)
  assert.equal(new Set(sink.mails.map(({ raw }) => raw)).size, 1)
})

test('an email whose answer is lost twice is not sent again', async t => {
  const sink = await startSink(t, { onMail: () => 'cut' })
  const sender = await openSender(server, sink)
  sendMails(t, server)
  const id = await postEmail(server, sender)
  const delivery = await waitForDelivery(server, id)
  assert.partialDeepStrictEqual(delivery, { status: 'sent', error: 'outcome_unknown', attempts: 2 })
  assert.equal(sink.mails.length, 2)
  assert.equal(await isQueued(id), false)
})

test('emails of a removed mailbox fail with the reason', async t => {
  const sender = await openSender(server, { port: 1 })
  const id = await postEmail(server, sender)
  await server.db`delete from mailboxes where id = ${sender.id}`
  sendMails(t, server)
  assert.partialDeepStrictEqual(await waitForDelivery(server, id), {
    status: 'failed',
    error: 'mailbox_removed',
  })
})

test('a suspended project sends nothing until it is resumed', async t => {
  const sink = await startSink(t)
  const sender = await openSender(server, sink)
  const id = await postEmail(server, sender)
  const { db, acme } = server
  await db`update projects set suspended_at = now() where id = ${acme.id}`
  const sending = sendMails(t, server)
  await until(
    async () =>
      (await db`select from due_work where kind = 'outgoing' and subject_id = ${sender.id}`).length === 0,
  )
  assert.equal(sink.state.connections, 0)
  await sending.stop()
  await db`update projects set suspended_at = null where id = ${acme.id}`
  sendMails(t, server)
  await waitForDelivery(server, id)
  assert.equal(sink.mails.length, 1)
})
