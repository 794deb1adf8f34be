import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openFileContext } from '../../../../test/file-context.ts'
import { chooseMailboxes, startChatByEmail, support } from '../../../../test/mail/chat-by-email.ts'
import { mailListen, receive } from '../../../../test/mail/receiving.ts'
import { writeMail } from '../../../../test/mail/write-mail.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import {
  findDelivery,
  openConversation,
  sendMessages,
  waitForDelivery,
} from '../../../../test/telegram/sending.ts'
import { until } from '../../../../test/until.ts'
import { reply as replyAs } from '../../../../test/widget.ts'

/** Replies to contacts who have blocked the bot are emailed. */

const context = openFileContext()
let server: TestServer
let desk: Awaited<ReturnType<typeof startChatByEmail>>
let count = 0

before(async () => {
  server = await startServer({ delivers: false, config: { mailListen } })
  desk = await startChatByEmail(context, server)
})
after(() => server.close())

/** A conversation with Ann, who has blocked the bot and may have an email address. */
async function openBlocked(t: Parameters<typeof openConversation>[0], isVerified: boolean) {
  const opened = await openConversation(t, server)
  opened.ann.state.refusal = 'blocked'
  const email = `ann${++count}@example.com`
  await server.db`
    insert into contact_identities (project_id, contact_id, type, value, is_verified, is_primary)
    select project_id, contact_id, 'email', ${email}, ${isVerified}, true from tickets where id = ${opened.ticketId}`
  sendMessages(t, server)
  return { ...opened, email }
}

const mailsTo = (address: string) => desk.sink.mails.filter(({ to }) => to.includes(address))

async function countNotes(ticketId: string): Promise<number> {
  const { body } = await server.api.get(`/tickets/${ticketId}/messages?sender_type=system`)
  return body.items.filter(({ system }: { system: { kind: string } }) => system.kind === 'delivery_failed')
    .length
}

test('a reply to a contact who has blocked the bot is emailed to the verified address, and the answer joins the ticket', async t => {
  await chooseMailboxes(desk.olga, { widget_mailbox_id: desk.mailbox.id })
  const { ticketId, email, ann } = await openBlocked(t, true)
  const message = await replyAs(desk.omar, ticketId, 'It is on its way')
  await until(() => mailsTo(email).length > 0)
  await until(async () => (await findDelivery(server, message.id)).status === 'sent')
  const { body } = await server.api.get(`/messages/${message.id}`)
  assert.partialDeepStrictEqual(body, { channel: 'email', email: { to: [email] } })
  assert.equal(await countNotes(ticketId), 0)
  const [mail] = mailsTo(email)
  assert.match(mail!.raw, /It is on its way/)
  const answers = /^Message-ID:\s+<(\S+)>/im.exec(mail!.raw)![1]!
  const received = writeMail({ from: email, answers, subject: 'Re: Your message', text: 'Thanks' })
  assert.equal((await receive(desk.receiving, support, received.raw)).ticket_id, ticketId)
  await replyAs(desk.omar, ticketId, 'Welcome')
  await until(() => mailsTo(email).length === 2)
  assert.deepEqual(ann.received, [])
})

test('without a verified address or a mailbox for these replies, the reply fails with a note in the ticket', async t => {
  const typed = await openBlocked(t, false)
  const one = await replyAs(desk.omar, typed.ticketId, 'Hello')
  assert.partialDeepStrictEqual(await waitForDelivery(server, one.id), { status: 'failed' })
  assert.equal(await countNotes(typed.ticketId), 1)
  await chooseMailboxes(desk.olga, { widget_mailbox_id: null })
  const verified = await openBlocked(t, true)
  const two = await replyAs(desk.omar, verified.ticketId, 'Hello')
  assert.partialDeepStrictEqual(await waitForDelivery(server, two.id), { status: 'failed' })
  assert.equal(await countNotes(verified.ticketId), 1)
  assert.deepEqual([...mailsTo(typed.email), ...mailsTo(verified.email)], [])
})

test('messages from bots are not emailed', async t => {
  await chooseMailboxes(desk.olga, { widget_mailbox_id: desk.mailbox.id })
  const { ticketId, email, reply } = await openBlocked(t, true)
  assert.equal((await waitForDelivery(server, await reply('From an integration'))).status, 'failed')
  assert.equal(await countNotes(ticketId), 1)
  assert.deepEqual(mailsTo(email), [])
})
