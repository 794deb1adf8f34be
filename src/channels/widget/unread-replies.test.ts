import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventsOf, unique } from '../../../test/cast.ts'
import { openFileContext } from '../../../test/file-context.ts'
import {
  beginVerified,
  chooseMailboxes,
  passUnreadTime,
  startChatByEmail,
  support,
} from '../../../test/mail/chat-by-email.ts'
import { mailListen, receive } from '../../../test/mail/receiving.ts'
import { listRecipients, waitForDelivery } from '../../../test/mail/sending.ts'
import { type SunkMail, reply as smtpReply } from '../../../test/mail/sink.ts'
import { writeMail } from '../../../test/mail/write-mail.ts'
import { startServer, type TestServer } from '../../../test/server.ts'
import { ask, begin, type Guest, open, reply, signIn } from '../../../test/widget.ts'

/** Operators' replies that visitors get by email after they have left the chat. */

const context = openFileContext()
let server: TestServer
let desk: Awaited<ReturnType<typeof startChatByEmail>>

before(async () => {
  server = await startServer({ delivers: false, config: { visitorsPerIp: 1e6, mailListen } })
  desk = await startChatByEmail(context, server, { notifies_visitors: true, requires_signature: false })
  await chooseMailboxes(desk.olga, { widget_mailbox_id: desk.mailbox.id })
})
after(() => server.close())

const get = async (path: string) => (await server.api.get(path)).body
const mailsTo = (address: string): SunkMail[] => desk.sink.mails.filter(({ to }) => to.includes(address))
const idOf = ({ raw }: SunkMail): string => /^Message-ID:\s+<(\S+)>/im.exec(raw)![1]!
const answer = (ticketId: string, content = 'It is **on its way**', fields: object = {}) =>
  reply(desk.omar, ticketId, content, { content_format: 'markdown', ...fields })
const shownTo = async (guest: Guest, ticketId: string): Promise<string[]> =>
  (await guest.api.get(`/tickets/${ticketId}/messages`)).body.items.map(
    ({ preview }: { preview: string }) => preview,
  )

/** A reply that Ann has not read in time. */
async function missReply(place: object = {}) {
  const ann = await beginVerified(server, place)
  const ticket = await ask(ann)
  const message = await answer(ticket.id)
  await passUnreadTime(server)
  await waitForDelivery(server, message.id)
  return { ann, ticket, message, mail: mailsTo(ann.email)[0]! }
}

test('a reply that a visitor has not read in time is sent by email in the language of the visitor', async () => {
  const { ann, ticket, message, mail } = await missReply({ locale: 'de' })
  assert.equal(mailsTo(ann.email).length, 1)
  assert.match(mail.raw, /^From: "?Omar \(Acme Support\)"? <support@acme\.example>\r$/m)
  assert.match(mail.raw, /^Subject: Where is my order\?\r$/m)
  assert.match(mail.raw, /<html lang=3D"de">/)
  assert.match(mail.raw, /<strong>on its way<\/strong>/)
  assert.doesNotMatch(mail.raw, /^Auto-Submitted:/im)
  const sent = await get(`/messages/${message.id}`)
  assert.partialDeepStrictEqual(sent, {
    channel: 'email',
    delivery: { status: 'sent', error: null, attempts: 1 },
    email: { to: [ann.email], mailbox_id: desk.mailbox.id, message_id: `<${idOf(mail)}>` },
  })
  assert.equal((await get(`/tickets/${ticket.id}`)).channel, 'widget')
  assert.deepEqual(await shownTo(ann, ticket.id), ['Where is my order?', 'It is on its way'])
})

test('the answer by email is in the same ticket and in the chat, and the next reply is sent at once', async () => {
  const { ann, ticket, mail } = await missReply()
  const text = 'Thank you, I see it.'
  const { ticket_id } = await receive(
    desk.receiving,
    support,
    writeMail({ from: ann.email, answers: idOf(mail), subject: 'Re: Your conversation', text }).raw,
  )
  assert.equal(ticket_id, ticket.id)
  assert.equal((await shownTo(ann, ticket.id)).at(-1), text)
  const next = await answer(ticket.id, 'You are welcome')
  const [waiting] = await server.db`
    select due_at <= now() as is_due from unread_replies where message_id = ${next.id}`
  assert.equal(waiting!.is_due, true)
  await passUnreadTime(server)
  await waitForDelivery(server, next.id)
  const second = mailsTo(ann.email).at(-1)!
  assert.match(second.raw, /You are welcome/)
  assert.equal(
    (await get(`/messages/${next.id}`)).email.in_reply_to,
    (await lastEmailOf(ticket.id)).message_id,
  )
})

const lastEmailOf = async (ticketId: string) =>
  (await get(`/tickets/${ticketId}/messages?sender_type=contact&order=desc`)).items[0].email

test('a reply is not sent by email if the visitor has read it or answered it in the chat', async () => {
  for (const act of [
    (ann: Guest, id: string) => ann.api.put(`/tickets/${id}/read`),
    (ann: Guest, id: string) => ann.api.post(`/tickets/${id}/messages`, { content: 'Thanks' }),
  ]) {
    const ann = await beginVerified(server)
    const ticket = await ask(ann)
    const message = await answer(ticket.id)
    await act(ann, ticket.id)
    await passUnreadTime(server)
    assert.partialDeepStrictEqual(await get(`/messages/${message.id}`), { channel: 'widget', email: null })
    assert.equal((await server.db`select from unread_replies where message_id = ${message.id}`).count, 0)
  }
})

test('a reply is not sent by email while the visitor has the chat open, but after they have left', async () => {
  const ann = await beginVerified(server)
  const ticket = await ask(ann)
  const tab = await open(server, ann)
  const show = (is_watching: boolean) =>
    ann.api.post('/presence', { tab: tab.tab, is_watching, ticket_id: null })
  assert.equal((await show(true)).status, 204)
  const message = await answer(ticket.id)
  await passUnreadTime(server)
  assert.equal((await get(`/messages/${message.id}`)).channel, 'widget')
  await show(false)
  await passUnreadTime(server)
  assert.equal((await waitForDelivery(server, message.id)).status, 'sent')
  tab.close()
})

test('several unread replies are one email with the text of all, and each has its delivery', async () => {
  const ann = await beginVerified(server)
  const ticket = await ask(ann)
  const first = await answer(ticket.id, 'It left us today.')
  const second = await reply(desk.olga, ticket.id, 'It arrives tomorrow.')
  await passUnreadTime(server)
  for (const { id } of [first, second]) {
    assert.equal((await waitForDelivery(server, id)).status, 'sent')
    const { email } = await get(`/messages/${id}`)
    assert.deepEqual(
      email.recipients.map(({ address, status }: never) => [address, status]),
      [[ann.email, 'sent']],
    )
  }
  const [mail, ...more] = mailsTo(ann.email)
  assert.deepEqual(more, [])
  assert.match(mail!.raw, /Omar:\s+It left us today\.\s+Olga:\s+It arrives tomorrow\./)
})

test('a refused email fails for each of its replies, and a retried reply is sent alone', async t => {
  const ann = await beginVerified(server)
  const ticket = await ask(ann)
  const first = await answer(ticket.id, 'One')
  const second = await answer(ticket.id, 'Two')
  desk.sink.state.script = { onRecipient: () => smtpReply(550, 'No such user') }
  t.after(() => {
    desk.sink.state.script = {}
  })
  await passUnreadTime(server)
  for (const { id } of [second, first]) assert.equal((await waitForDelivery(server, id)).status, 'failed')
  desk.sink.state.script = {}
  assert.equal((await server.api.post(`/messages/${first.id}/retry`)).status, 200)
  assert.equal((await waitForDelivery(server, first.id)).status, 'sent')
  assert.deepEqual(await listRecipients(server, first.id), [`${ann.email} sent`])
  assert.equal((await get(`/messages/${second.id}`)).delivery.status, 'failed')
  assert.doesNotMatch(mailsTo(ann.email)[0]!.raw, /Two/)
})

test('an email with several replies is sent again only to those who do not have it, whichever reply is retried', async t => {
  const ann = await beginVerified(server)
  const ticket = await ask(ann)
  const gone = `gone${unique()}@example.com`
  await server.api.put(`/tickets/${ticket.id}/participants`, { participants: [{ address: gone }] })
  const first = await answer(ticket.id, 'One')
  const second = await answer(ticket.id, 'Two')
  desk.sink.state.script = {
    onRecipient: to => (to === gone ? smtpReply(550, 'No such user') : undefined),
  }
  t.after(() => {
    desk.sink.state.script = {}
  })
  await passUnreadTime(server)
  await waitForDelivery(server, second.id)
  desk.sink.state.script = {}
  assert.equal((await server.api.post(`/messages/${first.id}/retry`)).status, 200)
  for (const { id } of [first, second])
    assert.partialDeepStrictEqual(await waitForDelivery(server, id), { status: 'sent', error: null })
  assert.deepEqual([mailsTo(ann.email).length, mailsTo(gone).length], [1, 1])
})

test('a reply that is edited while the email with several replies waits is sent with its new text', async () => {
  const ann = await beginVerified(server)
  const ticket = await ask(ann)
  const first = await answer(ticket.id, 'Old text')
  const second = await answer(ticket.id, 'Two')
  await desk.olga.api.post(`/mailboxes/${desk.mailbox.id}/pause`)
  await passUnreadTime(server)
  const edited = await server.api.patch(`/messages/${first.id}`, { content: 'New text' })
  assert.partialDeepStrictEqual(edited.body.delivery, { status: 'pending', error: null })
  await desk.olga.api.post(`/mailboxes/${desk.mailbox.id}/resume`)
  await waitForDelivery(server, second.id)
  assert.match(mailsTo(ann.email)[0]!.raw, /New text/)
  assert.doesNotMatch(mailsTo(ann.email)[0]!.raw, /Old text/)
})

test('integrations are told about a reply only if it is not sent by email', async () => {
  const countEvents = async (guest: Guest) => {
    const ticket = await ask(guest)
    const events = await eventsOf(server, () => answer(ticket.id))
    return events.filter(({ type }) => type === 'visitor.reply_waiting').length
  }
  assert.equal(await countEvents(await beginVerified(server)), 0)
  assert.equal(await countEvents(await begin(server)), 1)
})

test('nothing is sent to an unverified or typed address, for notes and bots, or when it is off', async t => {
  const known = await beginVerified(server)
  const none = async (
    guest: Pick<Guest, 'api'>,
    post: (id: string) => Promise<unknown>,
    fields: object = {},
  ) => {
    const ticket = await ask(guest, fields)
    await post(ticket.id)
    const waiting = await server.db`
      select from unread_replies u join messages m on m.id = u.message_id where m.ticket_id = ${ticket.id}`
    assert.equal(waiting.count, 0)
  }
  await none(await signIn(server, { id: unique(), email: `${unique()}@example.com` }), id => answer(id))
  await none(known, id => answer(id, 'Note', { is_internal: true }))
  await none(known, id => server.api.post(`/tickets/${id}/messages`, { content: 'From a bot' }))
  await none(await begin(server), id => answer(id))
  await chooseMailboxes(desk.olga, { widget_mailbox_id: null })
  t.after(() => chooseMailboxes(desk.olga, { widget_mailbox_id: desk.mailbox.id }))
  await none(known, id => answer(id))
})

test('a reply is sent by email to an address that has been verified by an email from it', async () => {
  const [id, email] = [unique(), `ann${unique()}@example.com`]
  await server.api.post('/contacts', { external_id: id, email })
  const ann = await signIn(server, { id })
  const before = await ask(ann)
  await answer(before.id)
  const { raw } = writeMail({ from: email, headers: ['Authentication-Results: mx.acme.example; dmarc=pass'] })
  await receive(desk.receiving, support, raw)
  const ticket = await ask(ann)
  const message = await answer(ticket.id)
  await passUnreadTime(server)
  await waitForDelivery(server, message.id)
  assert.deepEqual((await get(`/messages/${message.id}`)).email.to, [email])
  assert.equal(mailsTo(email).length, 1)
})

test('a reply goes to the contact, even if only a colleague in Cc has answered by email', async () => {
  const { ann, ticket, message } = await missReply()
  const colleague = `bob${unique()}@example.com`
  const added = { participants: [{ address: colleague }] }
  assert.equal((await server.api.put(`/tickets/${ticket.id}/participants`, added)).status, 200)
  const { message_id } = (await get(`/messages/${message.id}`)).email
  const mail = writeMail({ from: colleague, answers: message_id.slice(1, -1), subject: 'Re: Your order' })
  assert.equal((await receive(desk.receiving, support, mail.raw)).ticket_id, ticket.id)
  const next = await answer(ticket.id, 'For Ann')
  await passUnreadTime(server)
  await waitForDelivery(server, next.id)
  assert.deepEqual((await get(`/messages/${next.id}`)).email.to, [ann.email])
})

test('the dashboard tells operators whether their reply is sent by email, and nobody else', async () => {
  const { ann, ticket, mail } = await missReply()
  const address = `/tickets/${ticket.id}/unread-email`
  const unanswered = await ask(await beginVerified(server))
  const { status, body } = await desk.omar.api.get(`/tickets/${unanswered.id}/unread-email`)
  assert.equal(status, 200)
  assert.equal(body.after_minutes, 5)
  const { raw } = writeMail({ from: ann.email, answers: idOf(mail), subject: 'Re: It', text: 'Thanks' })
  await receive(desk.receiving, support, raw)
  assert.deepEqual((await desk.omar.api.get(address)).body, { address: ann.email, after_minutes: 0 })
  const stranger = await ask(await begin(server))
  const none = { address: null, after_minutes: 0 }
  assert.deepEqual((await desk.omar.api.get(`/tickets/${stranger.id}/unread-email`)).body, none)
  await chooseMailboxes(desk.olga, { widget_mailbox_id: null })
  assert.deepEqual((await desk.omar.api.get(address)).body, none)
  await chooseMailboxes(desk.olga, { widget_mailbox_id: desk.mailbox.id })
  assert.equal((await desk.omar.api.get(`/tickets/${desk.mailbox.id}/unread-email`)).status, 404)
})
