import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limitTickets } from '../../../../test/cast.ts'
import { openMailbox, type Receiving, receive, startReceiving } from '../../../../test/mail/receiving.ts'
import { writeMail } from '../../../../test/mail/write-mail.ts'
import { joinProject } from '../../../../test/operator.ts'
import { sendDueMessages } from '../../../tickets/tickets.ts'

/** Conversations that the project begins by email. */

const support = 'support@acme.example'
let receiving: Receiving
let mailbox_id: string

before(async () => {
  receiving = await startReceiving()
  mailbox_id = (await openMailbox(receiving, support, { name: 'Acme' })).id
  await receiving.server.db`update mailboxes set sending = 'installation' where id = ${mailbox_id}`
})
after(() => receiving.close())

const begin = (more: object = {}, client = receiving.server.api) =>
  client.post('/tickets', {
    ...{ contact: { email: 'ann@example.com' }, subject: 'Your order', content: 'It is on its way.' },
    ...{ mailbox_id, ...more },
  })

const messagesOf = async (ticketId: string) =>
  (await receiving.server.api.get(`/tickets/${ticketId}/messages`)).body.items

test('with a mailbox, the first message is ours and is sent to the contact', async () => {
  const { status, body } = await begin()
  assert.equal(status, 201)
  assert.partialDeepStrictEqual(body, { channel: 'email', subject: 'Your order', waiting_since: null })
  const [message, ...others] = await messagesOf(body.id)
  assert.deepEqual(others, [])
  assert.partialDeepStrictEqual(message, {
    ...{ sender_type: 'bot', content: 'It is on its way.', channel: 'email' },
    delivery: { status: 'pending', attempts: 0 },
    email: {
      ...{ from: support, from_name: 'Acme', to: ['ann@example.com'], cc: [], mailbox_id },
      ...{ subject: 'Your order', in_reply_to: null, thread_reason: 'sent' },
    },
  })
})

test('a second message continues the thread, and the answer joins the ticket', async () => {
  const { body } = await begin()
  const [first] = await messagesOf(body.id)
  const second = await receiving.server.api.post(`/tickets/${body.id}/messages`, {
    content: 'One more thing',
  })
  assert.partialDeepStrictEqual(second.body.email, {
    ...{ subject: 'Your order', in_reply_to: first.email.message_id, to: ['ann@example.com'] },
  })
  const answers = first.email.message_id.slice(1, -1)
  const { raw } = writeMail({ from: 'ann@example.com', answers, subject: 'Re: Your order' })
  assert.equal((await receive(receiving, support, raw)).ticket_id, body.id)
})

test('an operator begins a conversation in their own name', async () => {
  const { server } = receiving
  const omar = await joinProject(server, server.acme, { name: 'Omar' })
  const { status, body } = await begin({}, omar.api)
  assert.equal(status, 201)
  assert.partialDeepStrictEqual((await messagesOf(body.id))[0], {
    ...{ sender_type: 'operator', sender_id: omar.id },
    email: { from_name: 'Omar (Acme)' },
  })
})

test('the email goes to the address in the request, even if the contact has another one too', async () => {
  const { api } = receiving.server
  const known = await api.post('/contacts', { email: 'first@example.com', external_id: 'u1' })
  await api.post('/contacts', { email: 'second@example.com', external_id: 'u1' })
  const { body } = await begin({ contact: { email: 'second@example.com' } })
  const [{ email }] = await messagesOf(body.id)
  assert.deepEqual(email.to, ['second@example.com'])
  assert.equal(body.contact_id, known.body.id)
})

async function assertRefused(more: object, field: string, reason: string, client = receiving.server.api) {
  const { total } = (await client.get('/tickets')).body
  const { status, body } = await begin(more, client)
  assert.equal(status, 422)
  assert.partialDeepStrictEqual(body.detail, { field, reason })
  assert.equal((await client.get('/tickets')).body.total, total)
}

test('refuses unknown mailboxes, those that do not send, and contacts without an address', async () => {
  const { db, outsider } = receiving.server
  await assertRefused({}, 'mailbox_id', 'not_found', outsider)
  const silent = await openMailbox(receiving, 'silent@acme.example')
  await db`update mailboxes set sending = 'none' where id = ${silent.id}`
  await assertRefused({ mailbox_id: silent.id }, 'mailbox_id', 'mailbox_cannot_send')
  await assertRefused({ contact: { telegram_id: 7 } }, 'contact.email', 'required')
  await assertRefused({ contact: { email: support } }, 'email.to', 'mailbox_address')
})

test('the recipients in the request get the email, and the contact is not added to them', async () => {
  const email = {
    to: ['ann@example.com', 'ben@example.com'],
    cc: ['cem@example.com'],
    bcc: ['dan@example.com'],
  }
  const { body } = await begin({ email })
  const [first] = await messagesOf(body.id)
  assert.partialDeepStrictEqual(first.email, email)
  const other = await begin({ email: { to: ['eva@example.com'] } })
  assert.partialDeepStrictEqual((await messagesOf(other.body.id))[0].email, {
    ...{ to: ['eva@example.com'], cc: [], bcc: [] },
  })
  const withCc = await begin({ email: { cc: ['cem@example.com'] } })
  assert.partialDeepStrictEqual((await messagesOf(withCc.body.id))[0].email, {
    ...{ to: ['ann@example.com'], cc: ['cem@example.com'] },
  })
})

test('refuses recipients that are mailboxes, and recipients without a mailbox', async () => {
  await assertRefused({ email: { cc: [support] } }, 'email.cc', 'mailbox_address')
  await assertRefused({ mailbox_id: null, email: { cc: ['cem@example.com'] } }, 'email', 'not_by_email')
})

test('a conversation that can be undone waits for the time of emails, and is sent later', async () => {
  const { server } = receiving
  const omar = await joinProject(server, server.acme, { name: 'Omar', role: 'admin' })
  const undo_seconds = { widget: 0, email: 30, api: 0, telegram: 0, other: 0 }
  await omar.api.patch('/inbox-settings', { undo_seconds })
  const { body } = await begin({ can_undo: true }, omar.api)
  const path = `/tickets/${body.id}/messages`
  const [waiting] = (await omar.api.get(path)).body.items
  assert.equal(waiting.delivery.status, 'scheduled')
  assert.deepEqual(waiting.email.recipients, [])
  const back = await omar.api.delete(`/messages/${waiting.id}`)
  assert.partialDeepStrictEqual(back.body, {
    content: 'It is on its way.',
    email: { to: ['ann@example.com'], subject: 'Your order', mailbox_id },
  })
  assert.deepEqual(await messagesOf(body.id), [])
  const sent = await begin({ can_undo: true }, omar.api)
  await server.db`update messages set send_at = now() where ticket_id = ${sent.body.id}`
  await sendDueMessages(server.db, server.acme.id)
  const [message] = await messagesOf(sent.body.id)
  assert.partialDeepStrictEqual(message, { delivery: { status: 'pending' }, email: { from: support } })
})

test('refuses a conversation without a text', async () => {
  const { status, body } = await begin({ content: null })
  assert.deepEqual([status, body.error_code], [422, 'MESSAGE_EMPTY'])
})

test('without a mailbox, the first message is still the contact’s', async () => {
  const { body } = await begin({ mailbox_id: null })
  assert.equal(body.channel, 'api')
  assert.partialDeepStrictEqual(await messagesOf(body.id), [{ sender_type: 'contact', email: null }])
})

test('a conversation that we begin is refused over the monthly limit', async () => {
  const { db, rival, outsider } = receiving.server
  const { id } = await openMailbox(receiving, 'desk@rival.example', {}, rival)
  await db`update mailboxes set sending = 'installation' where id = ${id}`
  await limitTickets(db, rival, 0)
  const { body } = await begin({ mailbox_id: id }, outsider)
  assert.equal(body.error_code, 'TICKET_LIMIT_REACHED')
})

test('an empty mailbox_id is rejected, and does not create a ticket without an email', async () => {
  assert.equal((await begin({ mailbox_id: '' })).status, 422)
})
