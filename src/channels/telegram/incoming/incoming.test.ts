import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventsOf } from '../../../../test/cast.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { listMessages, openBot } from '../../../../test/telegram/bots.ts'
import { makePerson, Participant } from '../../../../test/telegram/people.ts'
import { until } from '../../../../test/until.ts'
import { closeTicket } from '../../../tickets/tickets.ts'
import { makeStartToken, readStartToken } from '../start-token.ts'

/** Chat messages become ticket messages. */

let server: TestServer

before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

const contentsOf = async (telegramId: number) =>
  (await listMessages(server, telegramId)).map(one => one.content)

async function ticketsOf(telegramId: number) {
  const { body } = await server.api.get(`/contacts/telegram:${telegramId}/tickets?sort=created_at`)
  return body.items
}

test("the first message opens a ticket for a contact with the person's name and account", async t => {
  const { ann, settled } = await openBot(t, server)
  const events = await eventsOf(server, async () => {
    ann.start()
    ann.say('My order has not arrived')
    await settled()
  })
  assert.deepEqual(
    events.map(({ type }) => type),
    ['ticket.created', 'message.created'],
  )
  const [ticket] = await ticketsOf(ann.person.id)
  assert.partialDeepStrictEqual(ticket, {
    ...{ channel: 'telegram', status: 'new', subject: 'My order has not arrived', language: 'en' },
    contact: { full_name: 'Ann Lee', telegram_id: ann.person.id },
  })
  const { body } = await server.api.get(`/contacts/telegram:${ann.person.id}`)
  assert.equal(body.telegram_username, 'annlee')
  assert.deepEqual(body.identities[0].is_verified, true)
})

test('further messages join the current ticket, in order', async t => {
  const { ann, settled } = await openBot(t, server)
  for (const text of ['one', 'two', 'three', 'four']) ann.say(text)
  await settled()
  assert.deepEqual(await contentsOf(ann.person.id), ['one', 'two', 'three', 'four'])
  assert.equal((await ticketsOf(ann.person.id)).length, 1)
})

test("/new starts another ticket, and a reply to an older message joins that message's ticket", async t => {
  const { ann, settled } = await openBot(t, server)
  const first = ann.say('first matter')
  ann.say('/new')
  ann.say('second matter')
  ann.say('about the first', first.message_id)
  await settled()
  const messages = await listMessages(server, ann.person.id)
  const [one, two, three] = messages
  assert.notEqual(one!.ticket_id, two!.ticket_id)
  assert.equal(three!.ticket_id, one!.ticket_id)
  assert.equal((await server.api.get(`/messages/${three!.id}`)).body.reply_to_id, one!.id)
  await until(() =>
    ann.received.some(({ text }) => text === 'Your next message will start a new conversation.'),
  )
})

test('a message reopens a recently closed ticket', async t => {
  const { ann, settled } = await openBot(t, server)
  ann.say('Hello')
  await settled()
  const [{ id }] = await ticketsOf(ann.person.id)
  const caller = { project: server.acme, actor: { type: 'api' as const, id: server.acme.key.id } }
  await closeTicket(server.db, caller, id, {})
  ann.say('One more question')
  await settled()
  const [ticket, ...others] = await ticketsOf(ann.person.id)
  assert.deepEqual([ticket.id, ticket.status, others], [id, 'open', []])
})

test("/start is answered with the greeting in the person's language, and opens no ticket", async t => {
  const texts = { en: { greeting: 'Hi {{contact.full_name|there}}!' } }
  const { standIn, bot, ann, settled } = await openBot(t, server, { texts, asks_phone: true })
  const ben = new Participant(standIn.world, bot, makePerson({ first_name: 'Ben', language_code: 'de-AT' }))
  ann.start()
  ben.start('summer_campaign')
  await settled()
  await until(() => ann.received.length > 0 && ben.received.length > 0)
  assert.equal(ann.received[0]!.text, 'Hi Ann Lee!')
  assert.match(ben.received[0]!.text!, /^Hallo! Schreiben Sie uns/)
  assert.equal((await server.api.get(`/contacts/telegram:${ann.person.id}`)).status, 404)
  const [call] = bot.calls.filter(
    ({ method, params }) => method === 'sendMessage' && params.chat_id === ann.chat.id,
  )
  assert.equal(call!.params.reply_markup.keyboard[0][0].request_contact, true)
})

test('a shared phone number is stored with the contact', async t => {
  const { ann, settled } = await openBot(t, server)
  const { id: user_id, first_name } = ann.person
  ann.post({ contact: { phone_number: '4930901820', first_name, user_id } })
  await settled()
  assert.equal((await server.api.get(`/contacts/telegram:${ann.person.id}`)).body.phone, '+4930901820')
  assert.match((await contentsOf(ann.person.id))[0]!, /4930901820/)
})

test('a signed link for a contact connects the chat to the contact, and one for a ticket continues the ticket', async t => {
  const { ann, settled } = await openBot(t, server)
  const { body: made } = await server.api.post('/tickets', {
    contact: { email: 'ann.tied@example.com', full_name: 'Ann Tied' },
    content: 'By web',
  })
  ann.start(makeStartToken(server.vault, server.acme.id, { kind: 'ticket', id: made.id }))
  ann.say('and now by Telegram')
  await settled()
  const { body } = await server.api.get(`/contacts/telegram:${ann.person.id}`)
  assert.deepEqual([body.email, body.id], ['ann.tied@example.com', made.contact_id])
  const messages = await listMessages(server, ann.person.id)
  assert.deepEqual(
    messages.map(({ ticket_id, content }) => [ticket_id, content]),
    [
      [made.id, 'By web'],
      [made.id, 'and now by Telegram'],
    ],
  )
})

test("a contact with no tickets and only a Telegram account is merged into the link's contact", async t => {
  const { ann, settled } = await openBot(t, server)
  await server.api.post('/contacts', { telegram_id: ann.person.id })
  const contact = { email: 'ann.known@example.com' }
  const { body: made } = await server.api.post('/tickets', { contact, content: 'By web' })
  ann.start(makeStartToken(server.vault, server.acme.id, { kind: 'ticket', id: made.id }))
  ann.start(makeStartToken(server.vault, server.rival.id, { kind: 'ticket', id: made.id }))
  await settled()
  const { body } = await server.api.get(`/contacts/telegram:${ann.person.id}`)
  assert.deepEqual([body.id, body.email], [made.contact_id, 'ann.known@example.com'])
})

test('a link is valid for an hour and connects only the first account that uses it', async t => {
  const { standIn, bot, ann, settled } = await openBot(t, server)
  const ben = new Participant(standIn.world, bot, makePerson({ first_name: 'Ben' }))
  const contact = { email: 'used.link@example.com' }
  const { body: made } = await server.api.post('/tickets', { contact, content: 'By web' })
  const token = makeStartToken(server.vault, server.acme.id, { kind: 'ticket', id: made.id })
  ann.start(token)
  await settled()
  ben.start(token)
  ben.say('from Ben')
  await settled()
  const { items } = (await server.api.get(`/tickets/${made.id}/messages`)).body
  assert.equal(items.length, 1)
  assert.deepEqual(await contentsOf(ben.person.id), ['from Ben'])
  const later = Date.now() + 3_600_000
  assert.equal(readStartToken(server.vault, server.acme.id, token, later), null)
})

test("a stranger's link gets no tickets or messages unless the person presses the button", async t => {
  const { ann, settled } = await openBot(t, server)
  ann.say('My own matter')
  await settled()
  const contact = { email: 'stranger@example.com' }
  const { body: made } = await server.api.post('/tickets', { contact, content: 'By web' })
  const token = makeStartToken(server.vault, server.acme.id, { kind: 'ticket', id: made.id })
  ann.start(token)
  ann.say('still mine')
  await settled()
  const messages = await listMessages(server, ann.person.id)
  assert.deepEqual(
    messages.map(({ content }) => content),
    ['My own matter', 'still mine'],
  )
  assert.ok(messages.every(({ ticket_id }) => ticket_id !== made.id))
  await until(() => ann.received.length > 0)
  const [question] = ann.received
  assert.match(question!.text!, /^Do you want to continue a conversation from the website here\?/)
  ann.press(question!.message_id, `continue:${token}`)
  ann.say('for the website')
  await settled()
  const { items } = (await server.api.get(`/tickets/${made.id}/messages`)).body
  assert.deepEqual(
    items.map(({ content }: { content: string }) => content),
    ['By web', 'for the website'],
  )
  assert.equal((await ticketsOf(ann.person.id)).length, 1)
})

test('editing a message updates it and causes an event, and an edit of an unknown message is ignored', async t => {
  const { ann, settled } = await openBot(t, server)
  const { message_id } = ann.say('I paid 10 dollars')
  await settled()
  const events = await eventsOf(server, async () => {
    ann.edit(message_id, { text: 'I paid 20 dollars' })
    ann.edit(message_id + 100, { ...ann.state.messages.get(message_id), message_id: message_id + 100 })
    await settled()
  })
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.content]),
    [['message.edited', 'I paid 20 dollars']],
  )
  const [message] = await listMessages(server, ann.person.id)
  assert.notEqual((await server.api.get(`/messages/${message!.id}`)).body.edited_at, null)
})

test('reactions are stored and replaced without causing an event', async t => {
  const { ann, settled } = await openBot(t, server)
  const { message_id } = ann.say('Thanks')
  await settled()
  const events = await eventsOf(server, async () => {
    ann.react(message_id, ['👍'])
    ann.react(message_id, ['❤'])
    await settled()
  })
  assert.deepEqual(events, [])
  const [message] = await listMessages(server, ann.person.id)
  const { reactions } = (await server.api.get(`/messages/${message!.id}`)).body
  assert.deepEqual(
    reactions.map(({ emoji, reactor_kind }: { emoji: string; reactor_kind: string }) => [
      emoji,
      reactor_kind,
    ]),
    [['❤️', 'contact']],
  )
})

test('messages from a blocked contact do not become ticket messages', async t => {
  const { ann, settled, id } = await openBot(t, server)
  await server.api.post('/contacts', { telegram_id: ann.person.id })
  await server.api.patch(`/contacts/telegram:${ann.person.id}`, { is_blocked: true })
  ann.say('Hello')
  await settled()
  assert.equal((await listMessages(server, ann.person.id)).length, 0)
  const [row] = await server.db`select outcome from telegram_updates where bot_id = ${id}`
  assert.equal(row!.outcome, 'blocked_contact')
})

test('a blocked contact can no longer edit messages or react to them', async t => {
  const { ann, settled } = await openBot(t, server)
  const { message_id } = ann.say('Hello')
  await settled()
  await server.api.patch(`/contacts/telegram:${ann.person.id}`, { is_blocked: true })
  ann.edit(message_id, { text: 'Something rude' })
  ann.react(message_id, ['👎'])
  await settled()
  const [message] = await listMessages(server, ann.person.id)
  const { body } = await server.api.get(`/messages/${message!.id}`)
  assert.deepEqual([body.content, body.reactions], ['Hello', []])
})

test('the chat records that the contact blocked or unblocked the bot', async t => {
  const { ann, settled, id } = await openBot(t, server)
  const isBlocked = async () =>
    (await server.db`select blocked_at from telegram_chats where bot_id = ${id}`)[0]!.blocked_at !== null
  ann.block()
  await settled()
  assert.equal(await isBlocked(), true)
  ann.unblock()
  await settled()
  assert.equal(await isBlocked(), false)
})
