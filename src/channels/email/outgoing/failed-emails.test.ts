import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  openEmailTicket,
  openSender,
  quickTimes,
  type Sender,
  sendMails,
  waitForDelivery,
} from '../../../../test/mail/sending.ts'
import { reply, type Sink, type SinkScript, startSink } from '../../../../test/mail/sink.ts'
import { joinProject, type Person } from '../../../../test/operator.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'

/** What people learn about emails that cannot be sent, and what they can do about them. */

let server: TestServer
let omar: Person

before(async () => {
  server = await startServer({ delivers: false })
  omar = await joinProject(server, server.acme, { name: 'Omar' })
})
after(() => server.close())

/** A ticket of Omar's, which he has read, and a mailbox that sends through a server with these answers. */
async function open(t: { after(run: () => unknown): void }, script: SinkScript = {}) {
  await server.db`delete from mailboxes`
  const sink = await startSink(t, script)
  const sender = await openSender(server, sink)
  const ticket = await openEmailTicket(server)
  await omar.api.post(`/tickets/${ticket.id}/take`, {})
  return { sink, sender, ticket }
}

type Opened = { ticket: { id: string; email: string }; sender: Sender; sink: Sink }

async function post({ ticket }: Pick<Opened, 'ticket'>, email: object | null = null): Promise<string> {
  const { status, body } = await server.api.post(`/tickets/${ticket.id}/messages`, {
    content: 'Hello',
    email,
  })
  assert.equal(status, 201, JSON.stringify(body))
  await omar.api.post(`/tickets/${ticket.id}/read`)
  return body.id
}

async function notesOf({ ticket }: Pick<Opened, 'ticket'>) {
  const { items } = (await server.api.get(`/tickets/${ticket.id}/messages`)).body
  return items
    .filter(({ system }: { system: { kind: string } | null }) => system?.kind.startsWith('delivery_'))
    .map(({ system, is_internal }: { system: object; is_internal: boolean }) => ({ ...system, is_internal }))
}

const isUnread = async ({ ticket }: Pick<Opened, 'ticket'>): Promise<boolean> =>
  (await omar.api.get(`/tickets/${ticket.id}`)).body.is_unread

async function isUndeliverable({ ticket }: Pick<Opened, 'ticket'>): Promise<boolean> {
  const { items } = (await server.api.get(`/contacts?email=${encodeURIComponent(ticket.email)}`)).body
  return items[0].identities[0].is_undeliverable
}

test('a recipient whom the server refuses is noted in the ticket once, which becomes unread, and the address is marked', async t => {
  const opened = await open(t, { onRecipient: () => reply(550, '5.1.1 No such user') })
  const id = await post(opened)
  assert.equal(await isUnread(opened), false)
  sendMails(t, server)
  assert.equal((await waitForDelivery(server, id)).status, 'failed')
  const data = {
    address: opened.ticket.email,
    code: '550',
    words: '5.1.1 No such user',
    message_id: id,
  }
  assert.deepEqual(await notesOf(opened), [{ kind: 'delivery_failed', data, is_internal: true }])
  assert.equal(await isUnread(opened), true)
  assert.equal(await isUndeliverable(opened), true)
})

test('of two recipients, the one whom the server refuses is noted once', async t => {
  const gone = 'gone@example.com'
  const opened = await open(t, {
    onRecipient: address => (address === gone ? reply(550, '5.1.1 No such user') : undefined),
  })
  const id = await post(opened, { cc: [gone] })
  sendMails(t, server)
  assert.equal((await waitForDelivery(server, id)).status, 'sent')
  assert.partialDeepStrictEqual(await notesOf(opened), [{ kind: 'delivery_failed', data: { address: gone } }])
  assert.equal((await notesOf(opened)).length, 1)
  assert.equal(await isUnread(opened), true)
  assert.equal(await isUndeliverable(opened), false)
})

test('a server that refuses the email for another reason does not mark the address', async t => {
  const opened = await open(t, { onMail: () => reply(554, '5.7.1 Message refused') })
  const id = await post(opened)
  sendMails(t, server)
  assert.equal((await waitForDelivery(server, id)).error, '554 5.7.1 Message refused')
  assert.equal((await notesOf(opened)).length, 1)
  assert.equal(await isUndeliverable(opened), false)
})

test('a server that refuses the sender does not mark the addresses of the recipients', async t => {
  const opened = await open(t, {
    options: { onMailFrom: (_address, _session, done) => done(reply(550, '5.1.8 Sender domain not found')) },
  })
  const id = await post(opened)
  sendMails(t, server)
  assert.equal((await waitForDelivery(server, id)).error, '550 5.1.8 Sender domain not found')
  assert.equal(await isUndeliverable(opened), false)
})

test('a server that defers the sender is tried again', async t => {
  let count = 0
  const opened = await open(t, {
    options: {
      onMailFrom: (_address, _session, done) => done(++count < 3 ? reply(451, '4.3.0 Later') : null),
    },
  })
  const id = await post(opened)
  sendMails(t, server)
  assert.partialDeepStrictEqual(await waitForDelivery(server, id), { status: 'sent', attempts: 3 })
})

test('a server that defers the email is noted after the last attempt only', async t => {
  const opened = await open(t, { onMail: () => reply(451, 'Try again later') })
  const id = await post(opened)
  sendMails(t, server, { ...quickTimes, pauses: [20, 20] })
  assert.equal((await waitForDelivery(server, id)).attempts, 3)
  assert.partialDeepStrictEqual(await notesOf(opened), [{ data: { code: '451', words: 'Try again later' } }])
  assert.equal(await isUndeliverable(opened), false)
})

test('an email whose mailbox was removed is noted without words of a server, and is sent again from another mailbox', async t => {
  const opened = await open(t)
  const id = await post(opened)
  await server.db`delete from mailboxes`
  sendMails(t, server)
  assert.equal((await waitForDelivery(server, id)).error, 'mailbox_removed')
  assert.partialDeepStrictEqual(await notesOf(opened), [{ data: { code: null, words: null } }])
  const other = await openSender(server, opened.sink)
  const { body } = await server.api.post(`/messages/${id}/retry`)
  assert.partialDeepStrictEqual(body.email, { mailbox_id: other.id, from: other.address })
  assert.equal((await waitForDelivery(server, id)).status, 'sent')
  assert.equal(opened.sink.mails.length, 1)
  assert.ok(opened.sink.mails[0]!.raw.includes(`<${other.address}>`))
  const [row] = await server.db`select email from messages where id = ${id}`
  assert.equal('recipients' in row!.email, false)
})

test('an email that was built for a removed mailbox is built again for another one', async t => {
  const opened = await open(t, { onMail: () => reply(550, 'Refused') })
  const id = await post(opened)
  sendMails(t, server)
  await waitForDelivery(server, id)
  await server.db`delete from mailboxes`
  opened.sink.state.script = {}
  const other = await openSender(server, opened.sink)
  await server.api.post(`/messages/${id}/retry`)
  assert.equal((await waitForDelivery(server, id)).status, 'sent')
  assert.ok(opened.sink.mails[0]!.raw.includes(`<${other.address}>`))
})

test('a message without a recipient can be sent again after the contact has an address', async t => {
  const opened = await open(t)
  const { db } = server
  const [contact] = await db`select contact_id as id from tickets where id = ${opened.ticket.id}`
  await db`update contacts set email = null where id = ${contact!.id}`
  const id = await post(opened)
  assert.equal((await waitForDelivery(server, id)).error, 'no_recipient')
  await db`update contacts set email = ${opened.ticket.email} where id = ${contact!.id}`
  sendMails(t, server)
  await server.api.post(`/messages/${id}/retry`)
  assert.equal((await waitForDelivery(server, id)).status, 'sent')
  assert.deepEqual(opened.sink.mails[0]!.to, [opened.ticket.email])
})
