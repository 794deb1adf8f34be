import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readMail } from '../../../../test/mail/corpus-mails.ts'
import {
  type Forwarding,
  forwardFirst,
  forwardPath,
  getMessage,
  idOf,
  openForwarding,
} from '../../../../test/mail/forwarding.ts'
import { type Receiving, receive, startReceiving } from '../../../../test/mail/receiving.ts'
import { listRecipients, openSender, sendMails, waitForDelivery } from '../../../../test/mail/sending.ts'
import { startSink } from '../../../../test/mail/sink.ts'
import { writeMail } from '../../../../test/mail/write-mail.ts'
import { joinProject } from '../../../../test/operator.ts'
import { makeUpload } from '../../../../test/upload.ts'
import { ask, begin, switchOn } from '../../../../test/widget.ts'
import { readForward } from '../../../mail/forward.ts'

/** Forwarding messages to a third party. */

let receiving: Receiving

before(async () => {
  receiving = await startReceiving()
})
after(() => receiving.close())

test("a forward contains the message and its header lines below the operator's text, and starts a new thread", async t => {
  const opened = await openForwarding(t, receiving)
  const { ticketId, first, ann, vendor } = opened
  const { note, mail } = await forwardFirst(opened)
  assert.deepEqual(mail.to, [vendor])
  const read = await readMail(Buffer.from(mail.raw, 'latin1'))
  assert.equal(read.headers.subject, 'Fwd: My lamp')
  assert.deepEqual(read.headers.inReplyTo, [])
  assert.doesNotMatch(mail.raw, new RegExp(first.id.replaceAll('.', '\\.')))
  const lines = ['Can you repair it?', 'Forwarded message', `From: Ann Berger <${ann}>`, 'Date: ']
  const places = [...lines, 'Subject: My lamp', 'It is dark.'].map(line => read.text.indexOf(line))
  assert.deepEqual(
    places,
    places.toSorted((one, other) => one - other),
  )
  assert.equal(places.includes(-1), false)
  assert.partialDeepStrictEqual(readForward(read), {
    ...{ sender: { address: ann, name: 'Ann Berger' }, note: 'Can you repair it?', text: 'It is dark.' },
  })
  assert.equal(note.ticket_id, ticketId)
})

test("the note shows the operator's text, the recipients and the delivery", async t => {
  const opened = await openForwarding(t, receiving)
  const { note } = await forwardFirst(opened)
  const { server, vendor, first, sender } = opened
  assert.partialDeepStrictEqual(note, {
    ...{ is_internal: true, content: 'Can you repair it?', reply_to_id: first.message_id },
    ...{ sender_type: 'bot', channel: 'email', delivery: { status: 'pending', attempts: 0 } },
    email: {
      ...{ from: sender.address, to: [vendor], cc: [], subject: 'Fwd: My lamp', in_reply_to: null },
      forwarded: { message_id: first.message_id, media_ids: [] },
    },
  })
  assert.partialDeepStrictEqual(await getMessage(server, note.id), {
    delivery: { status: 'sent', attempts: 1 },
    email: { recipients: [{ address: vendor, status: 'sent' }] },
  })
})

test("a forward is sent in the operator's name, and the ticket keeps its status and times", async t => {
  const opened = await openForwarding(t, receiving)
  const { server, ticketId, first, vendor, sink } = opened
  const omar = await joinProject(server, server.acme, { name: 'Omar' })
  const before = (await server.api.get(`/tickets/${ticketId}`)).body
  const { status, body } = await omar.api.post(forwardPath(first.message_id), { email: { to: [vendor] } })
  assert.equal(status, 201, JSON.stringify(body))
  assert.partialDeepStrictEqual(body, { sender_type: 'operator', sender_id: omar.id, content: '' })
  await waitForDelivery(server, body.id)
  assert.match(sink.mails[0]!.raw, /^From: "?Omar \(Acme Support\)/m)
  const { waiting_since, first_reply_at, operator_id } = before
  assert.partialDeepStrictEqual((await server.api.get(`/tickets/${ticketId}`)).body, {
    ...{ status: before.status, waiting_since, first_reply_at, operator_id },
  })
})

/** Posts a message with two files to an email ticket. */
async function postFiles({ server, ticketId }: Pick<Forwarding, 'server' | 'ticketId'>) {
  const { api } = server
  const files = [
    await makeUpload(api, { filename: 'plan.txt', content: 'The plan' }),
    await makeUpload(api, { filename: 'bill.txt', content: 'The bill' }),
  ]
  const media_ids = files.map(({ id }) => id)
  const { body } = await api.post(`/tickets/${ticketId}/messages`, { content: 'See', media_ids })
  await waitForDelivery(server, body.id)
  return { id: body.id as string, media_ids }
}

test('all files of the message are attached, or only the chosen ones', async t => {
  const opened = await openForwarding(t, receiving)
  const { server, vendor, sink } = opened
  const { id, media_ids } = await postFiles(opened)
  for (const chosen of [undefined, [media_ids[1]!], []]) {
    const { body } = await server.api.post(forwardPath(id), {
      ...{ content: 'Look', email: { to: [vendor] } },
      ...(chosen && { media_ids: chosen }),
    })
    assert.deepEqual(body.email.forwarded.media_ids, chosen ?? media_ids)
    await waitForDelivery(server, body.id)
  }
  const names = await Promise.all(
    sink.mails
      .slice(1)
      .map(async ({ raw }) =>
        (await readMail(Buffer.from(raw, 'latin1'))).files.map(({ filename }) => filename),
      ),
  )
  assert.deepEqual(names, [['plan.txt', 'bill.txt'], ['bill.txt'], []])
  assert.deepEqual(
    (await getMessage(server, id)).media.map((file: { id: string }) => file.id),
    media_ids,
  )
})

test('refuses own mailboxes as recipients, files of other messages, system messages, and mailboxes that do not send', async t => {
  const { server, first, vendor, sender, ticketId } = await openForwarding(t, receiving)
  const { api, db } = server
  const refused = async (id: string | null, body: object, field: string, reason: string) => {
    const { status, body: answer } = await api.post(forwardPath(id), body)
    assert.equal(status, 422, JSON.stringify(answer))
    assert.partialDeepStrictEqual(answer.detail, { field, reason })
  }
  const email = { to: [vendor] }
  await refused(first.message_id, { email: { to: [sender.address] } }, 'email.to', 'mailbox_address')
  const file = await makeUpload(api)
  await refused(first.message_id, { email, media_ids: [file.id] }, 'media_ids', 'not_found')
  await api.post(`/tickets/${ticketId}/close`, {})
  const { items } = (await api.get(`/tickets/${ticketId}/messages?sender_type=system`)).body
  await refused(items[0].id, { email }, 'message_id', 'not_forwardable')
  await db`update mailboxes set sending = 'none' where id = ${sender.id}`
  await refused(first.message_id, { email }, 'email.mailbox_id', 'mailbox_cannot_send')
  assert.equal((await api.post(forwardPath(first.message_id), { email: { to: [] } })).status, 422)
})

test('another project cannot forward the message, and sees neither the note nor the reply', async t => {
  const opened = await openForwarding(t, receiving)
  const { server, first, vendor, deliver, sink } = opened
  const { outsider } = server
  const { status } = await outsider.post(forwardPath(first.message_id), { email: { to: [vendor] } })
  assert.equal(status, 404)
  assert.equal(sink.mails.length, 0)
  const { note, mail } = await forwardFirst(opened)
  const { message_id } = await deliver({ from: vendor, answers: idOf(mail), text: 'Yes' })
  for (const id of [note.id, message_id]) assert.equal((await outsider.get(`/messages/${id}`)).status, 404)
})

test('a chat message can be forwarded by email, and the visitor does not see it', async t => {
  const { server } = receiving
  await switchOn(server, server.acme)
  const sink = await startSink(t)
  const sender = await openSender(server, sink)
  sendMails(t, server)
  const guest = await begin(server)
  const ticket = await ask(guest)
  const [question] = (await server.api.get(`/tickets/${ticket.id}/messages`)).body.items
  const { body: note } = await server.api.post(forwardPath(question.id), {
    ...{ content: 'SECRET question', email: { to: ['tom@parts.example'], mailbox_id: sender.id } },
  })
  await waitForDelivery(server, note.id)
  assert.deepEqual(await listRecipients(server, note.id), ['tom@parts.example sent'])
  assert.match(sink.mails[0]!.raw, /Where is my order\?/)
  const { raw } = writeMail({
    ...{
      from: 'tom@parts.example',
      to: sender.address,
      answers: idOf(sink.mails[0]!),
      text: 'SECRET answer',
    },
  })
  const answer = await receive(receiving, sender.address, raw)
  assert.equal(answer.ticket_id, ticket.id)
  const shown = (await guest.api.get(`/tickets/${ticket.id}/messages`)).text
  assert.doesNotMatch(shown, /SECRET|parts\.example/)
  assert.match(shown, /Where is my order\?/)
})
