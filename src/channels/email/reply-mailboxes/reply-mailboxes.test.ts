import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertEnvelope } from '../../../../test/client.ts'
import { openFileContext } from '../../../../test/file-context.ts'
import { chooseMailboxes, startChatByEmail, support } from '../../../../test/mail/chat-by-email.ts'
import { mailListen, openMailbox, receive } from '../../../../test/mail/receiving.ts'
import { waitForDelivery } from '../../../../test/mail/sending.ts'
import { writeMail } from '../../../../test/mail/write-mail.ts'
import { joinProject } from '../../../../test/operator.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { reply } from '../../../../test/widget.ts'

/** The mailboxes for replies in other channels, and replies by email in API tickets. */

const context = openFileContext()
let server: TestServer
let desk: Awaited<ReturnType<typeof startChatByEmail>>
let count = 0

before(async () => {
  server = await startServer({ delivers: false, config: { mailListen } })
  desk = await startChatByEmail(context, server)
})
after(() => server.close())

async function openApiTicket(email = `bob${++count}@example.com`) {
  const { body } = await server.api.post('/tickets', {
    contact: { email },
    subject: 'My lamp',
    content: 'It is dark.',
  })
  return body.id as string
}

test('admins choose the mailboxes, which is recorded in the audit log, and operators and other projects have no access', async () => {
  const { olga, omar, mailbox } = desk
  const off = { widget_mailbox_id: null, widget_after_minutes: 5, api_mailbox_id: null }
  assert.deepEqual((await olga.api.get('/reply-mailboxes')).body, off)
  const { body } = await olga.api.patch('/reply-mailboxes', {
    widget_mailbox_id: mailbox.id,
    widget_after_minutes: 9,
  })
  assert.deepEqual(body, { ...off, widget_mailbox_id: mailbox.id, widget_after_minutes: 9 })
  const { items } = (await olga.api.get('/audit?action=project.reply_mailboxes_changed')).body
  assert.deepEqual(items[0].detail.after, { widget_mailbox_id: mailbox.id, widget_after_minutes: 9 })
  assertEnvelope(await omar.api.get('/reply-mailboxes'), 403, 'ROLE_REQUIRED', { role: 'admin' })
  const rita = await joinProject(server, server.rival, { name: 'Rita', role: 'admin' })
  assert.deepEqual((await rita.api.get('/reply-mailboxes')).body, off)
  assertEnvelope(
    await rita.api.patch('/reply-mailboxes', { api_mailbox_id: mailbox.id }),
    422,
    'VALIDATION_ERROR',
    { field: 'api_mailbox_id', reason: 'not_found' },
  )
})

test('a mailbox that does not send is refused, and deleting a mailbox clears the setting', async () => {
  const { olga } = desk
  const silent = await openMailbox({ server }, 'silent@acme.example')
  assertEnvelope(
    await olga.api.patch('/reply-mailboxes', { api_mailbox_id: silent.id }),
    422,
    'VALIDATION_ERROR',
    { field: 'api_mailbox_id', reason: 'mailbox_cannot_send' },
  )
  await server.db`update mailboxes set sending = 'installation' where id = ${silent.id}`
  await chooseMailboxes(olga, { api_mailbox_id: silent.id })
  assert.equal((await olga.api.delete(`/mailboxes/${silent.id}`)).status, 204)
  assert.equal((await olga.api.get('/reply-mailboxes')).body.api_mailbox_id, null)
})

test('replies in API tickets are not sent by email unless the project has chosen a mailbox', async () => {
  await chooseMailboxes(desk.olga, { api_mailbox_id: null })
  const ticketId = await openApiTicket()
  const message = await reply(desk.omar, ticketId, 'Hello')
  assert.partialDeepStrictEqual(message, { channel: 'api', email: null, delivery: { status: 'sent' } })
})

test("an operator's reply in an API ticket is emailed to the contact, whose reply joins the ticket", async () => {
  await chooseMailboxes(desk.olga, { api_mailbox_id: desk.mailbox.id })
  const email = `bob${++count}@example.com`
  const ticketId = await openApiTicket(email)
  const message = await reply(desk.omar, ticketId, 'We will send a new lamp.')
  assert.partialDeepStrictEqual(message, { channel: 'email', email: { to: [email], subject: 'My lamp' } })
  assert.equal((await waitForDelivery(server, message.id)).status, 'sent')
  const { raw } = desk.sink.mails.find(({ to }) => to.includes(email))!
  const answers = /^Message-ID:\s+<(\S+)>/im.exec(raw)![1]!
  const mail = writeMail({ from: email, answers, subject: 'Re: My lamp', text: 'Thanks' })
  assert.equal((await receive(desk.receiving, support, mail.raw)).ticket_id, ticketId)
  const next = await reply(desk.omar, ticketId, 'Welcome', { email: { cc: ['ben@example.com'] } })
  assert.partialDeepStrictEqual(next.email, {
    ...{ to: [email], cc: ['ben@example.com'], subject: 'Re: My lamp', in_reply_to: `<${mail.id}>` },
  })
})

test('notes, messages of bots, and replies to contacts without an address are not sent by email', async () => {
  await chooseMailboxes(desk.olga, { api_mailbox_id: desk.mailbox.id })
  const ticketId = await openApiTicket()
  const nameless = await openApiTicket()
  await server.db`
    update contacts set email = null where id = (select contact_id from tickets where id = ${nameless})`
  const posted = [
    await reply(desk.omar, ticketId, 'Note', { is_internal: true }),
    (await server.api.post(`/tickets/${ticketId}/messages`, { content: 'Bot' })).body,
    await reply(desk.omar, nameless, 'Hello'),
  ]
  for (const message of posted) assert.partialDeepStrictEqual(message, { channel: 'api', email: null })
})
