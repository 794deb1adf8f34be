import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type Forwarding,
  forwardFirst,
  getMessage,
  idOf,
  openForwarding,
} from '../../../../test/mail/forwarding.ts'
import { type Receiving, startReceiving } from '../../../../test/mail/receiving.ts'
import { waitForDelivery } from '../../../../test/mail/sending.ts'
import { until } from '../../../../test/until.ts'
import { newId } from '../../../core/ids.ts'

/** Replies from third parties to forwarded messages. */

let receiving: Receiving

before(async () => {
  receiving = await startReceiving()
})
after(() => receiving.close())

/** The vendor replies to the forwarded message. */
async function answer(opened: Forwarding, more: object = {}) {
  const { note, mail } = await forwardFirst(opened)
  const { vendor, deliver } = opened
  const received = await deliver({
    ...{ from: `Tom Parts <${vendor}>`, answers: idOf(mail), subject: 'Re: Fwd: My lamp' },
    ...{ text: 'SECRET: we can repair it.', ...more },
  })
  return { note, mail, received }
}

test('a reply to a forwarded message becomes an internal note, and the ticket keeps its status', async t => {
  const opened = await openForwarding(t, receiving)
  const { server, ticketId, vendor } = opened
  await server.api.patch(`/tickets/${ticketId}`, { status: 'pending' })
  const { received, mail } = await answer(opened)
  assert.partialDeepStrictEqual(received, { outcome: 'in_reply_to', ticket_id: ticketId })
  assert.partialDeepStrictEqual(await getMessage(server, received.message_id), {
    ...{ is_internal: true, sender_type: 'bot', sender_name: 'Tom Parts', channel: 'email' },
    ...{ content: 'SECRET: we can repair it.', delivery: { status: 'sent', error: null } },
    email: {
      ...{ from: vendor, in_reply_to: `<${idOf(mail)}>`, thread_reason: 'in_reply_to', has_raw: true },
      warnings: [],
    },
  })
  const ticket = (await server.api.get(`/tickets/${ticketId}`)).body
  assert.partialDeepStrictEqual(ticket, { status: 'pending', last_message: { id: received.message_id } })
})

test('the forwarded text that a reply quotes is collapsed', async t => {
  const opened = await openForwarding(t, receiving)
  const quote = '> Can you repair it?\r\n>\r\n> It is dark.'
  const { received } = await answer(opened, { text: `Yes, we can.\r\n\r\n${quote}` })
  const { content, email } = await getMessage(opened.server, received.message_id)
  assert.deepEqual([content, email.has_quote], ['Yes, we can.', true])
})

test('the sender of such a reply becomes neither a contact nor a participant, and is not a recipient of replies', async t => {
  const opened = await openForwarding(t, receiving)
  const { server, ticketId, vendor, ann } = opened
  const { api } = server
  await answer(opened, { cc: 'boss@parts.example' })
  assert.deepEqual((await api.get(`/contacts?email=${encodeURIComponent(vendor)}`)).body.items, [])
  const participants = (await api.get(`/tickets/${ticketId}/participants`)).body.items
  assert.deepEqual(
    participants.map(({ address }: { address: string }) => address),
    [ann],
  )
  assert.partialDeepStrictEqual((await api.get(`/tickets/${ticketId}/reply-recipients`)).body, {
    ...{ to: [ann], cc: [], bcc: [], subject: 'Re: My lamp' },
  })
})

test('a later reply to the contact contains nothing of the conversation with the third party', async t => {
  const opened = await openForwarding(t, receiving)
  const { server, ticketId, ann, vendor, sink, first, sender } = opened
  await server.db`update mailboxes set history = 'all' where id = ${sender.id}`
  const { received, mail } = await answer(opened)
  const outside = await getMessage(server, received.message_id)
  const { body } = await server.api.post(`/tickets/${ticketId}/messages`, { content: 'We can repair it.' })
  assert.equal(body.email.in_reply_to, `<${first.id}>`)
  await waitForDelivery(server, body.id)
  const sent = sink.mails.at(-1)!
  assert.deepEqual(sent.to, [ann])
  assert.match(sent.raw, /It is dark\./)
  for (const secret of ['SECRET', 'Can you repair', vendor, idOf(mail), outside.email.message_id])
    assert.equal(sent.raw.includes(secret), false, secret)
})

test('later emails in the conversation become notes too, also those from colleagues who got our email', async t => {
  const opened = await openForwarding(t, receiving)
  const { server, ticketId, vendor, deliver } = opened
  const { received, mail } = await answer(opened)
  const { email } = await getMessage(server, received.message_id)
  const answers = email.message_id.slice(1, -1)
  const second = await deliver({ from: vendor, answers, text: 'One more thing' })
  const headers = [`References: <${idOf(mail)}>`]
  const colleague = await deliver({ from: 'eve@parts.example', headers, text: 'I take over' })
  for (const { ticket_id, message_id } of [second, colleague]) {
    assert.equal(ticket_id, ticketId)
    assert.equal((await getMessage(server, message_id)).is_internal, true)
  }
})

test("a stranger who knows only the Message-ID of the third party's reply opens a separate ticket", async t => {
  const opened = await openForwarding(t, receiving)
  const { server, ticketId, deliver } = opened
  const { received } = await answer(opened)
  const { email } = await getMessage(server, received.message_id)
  const stranger = await deliver({ from: 'mallory@evil.example', answers: email.message_id.slice(1, -1) })
  assert.equal(stranger.outcome, 'new_stranger')
  assert.notEqual(stranger.ticket_id, ticketId)
})

test('a third party who replies to an email of the ticket itself opens a separate ticket', async t => {
  const opened = await openForwarding(t, receiving)
  const { ticketId, deliver, vendor, first } = opened
  await answer(opened)
  const other = await deliver({ from: vendor, answers: first.id })
  assert.equal(other.outcome, 'new_stranger')
  assert.notEqual(other.ticket_id, ticketId)
})

test('an email to the reply address of the forward becomes a note even without message IDs', async t => {
  const opened = await openForwarding(t, receiving)
  const { server, sender, ticketId, vendor, deliver } = opened
  // A local part with a token has at most 64 characters.
  await server.db`update mailboxes set plus_works = true, address = 'parts@desk.example.com' where id = ${sender.id}`
  const { note } = await forwardFirst(opened)
  const [to] = note.email.reply_to
  const received = await deliver({ from: vendor, to, subject: 'Your lamp', text: 'Yes' })
  assert.partialDeepStrictEqual(received, { outcome: 'reply_token', ticket_id: ticketId })
  assert.equal((await getMessage(server, received.message_id)).is_internal, true)
})

test('an email from the contact stays public, even if it replies to the forward', async t => {
  const opened = await openForwarding(t, receiving)
  const { server, ann, deliver, ticketId } = opened
  const { mail } = await answer(opened)
  const own = await deliver({ from: ann, answers: idOf(mail), text: 'I got a copy' })
  assert.equal(own.ticket_id, ticketId)
  assert.partialDeepStrictEqual(await getMessage(server, own.message_id), {
    ...{ is_internal: false, sender_type: 'contact' },
  })
})

test("an operator's email in the conversation becomes a note, and is not sent to the contact", async t => {
  const opened = await openForwarding(t, receiving)
  const { server, sender, deliver, sink } = opened
  const omar = `omar${newId()}@acme.example`
  await server.db`insert into operators (project_id, id, name, email) values (${server.acme.id}, ${newId()}, 'Omar', ${omar})`
  await server.db`update mailboxes set authserv_ids = '{mx.acme.example}' where id = ${sender.id}`
  const { received } = await answer(opened, { cc: omar })
  const { email } = await getMessage(server, received.message_id)
  const headers = ['Authentication-Results: mx.acme.example; dmarc=pass header.from=acme.example']
  const own = await deliver({ from: omar, answers: email.message_id.slice(1, -1), headers, text: 'Thanks' })
  assert.partialDeepStrictEqual(await getMessage(server, own.message_id), {
    ...{ is_internal: true, sender_type: 'operator', delivery: { status: 'sent' } },
  })
  assert.equal(sink.mails.length, 1)
})

test("a third party's reply is added to a closed ticket, which stays closed", async t => {
  const opened = await openForwarding(t, receiving)
  const { server, ticketId, vendor, deliver } = opened
  const { mail } = await forwardFirst(opened)
  await server.api.post(`/tickets/${ticketId}/close`, {})
  await server.db`update tickets set closed_at = closed_at - interval '90 days' where id = ${ticketId}`
  const received = await deliver({ from: vendor, answers: idOf(mail), text: 'Late' })
  assert.equal(received.ticket_id, ticketId)
  assert.equal((await server.api.get(`/tickets/${ticketId}`)).body.status, 'closed')
})

test('an automatic reply from a third party becomes a note', async t => {
  const opened = await openForwarding(t, receiving)
  const { received } = await answer(opened, { headers: ['Auto-Submitted: auto-replied'], text: 'Away' })
  assert.partialDeepStrictEqual(await getMessage(opened.server, received.message_id), {
    ...{ is_internal: true, email: { class: 'auto_reply' } },
  })
})

test("a third party's reply stays an internal note when it is read again", async t => {
  const opened = await openForwarding(t, receiving)
  const { server } = opened
  const { received } = await answer(opened)
  const path = `/mail-log/${received.logId}`
  await server.db`update messages set content = 'Misread' where id = ${received.message_id}`
  assert.equal((await server.api.post(`${path}/reparse`)).status, 202)
  await until(async () => (await server.api.get(path)).body.state !== 'stored')
  assert.partialDeepStrictEqual(await getMessage(server, received.message_id), {
    ...{ content: 'SECRET: we can repair it.', is_internal: true, sender_name: 'Tom Parts' },
  })
})
