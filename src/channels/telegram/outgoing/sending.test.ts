import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventsOf, limitTickets } from '../../../../test/cast.ts'
import { joinProject } from '../../../../test/operator.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { openBot } from '../../../../test/telegram/bots.ts'
import { Refusal, refusals } from '../../../../test/telegram/refusals.ts'
import {
  findDelivery,
  openConversation,
  sendMessages,
  waitForDelivery,
} from '../../../../test/telegram/sending.ts'
import { until } from '../../../../test/until.ts'
import { makeUpload, png } from '../../../../test/upload.ts'
import { makeStartToken } from '../start-token.ts'

/** Replies are sent to their chats. */

let server: TestServer
const picture = png(40, 30)

before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

const textsOf = (list: { text?: string; caption?: string }[]) =>
  list.map(({ text, caption }) => text ?? caption)

const sent = { status: 'sent', error: null, attempts: 1 }

test('a reply is sent with its formatting', async t => {
  const { ann, reply } = await openConversation(t, server)
  sendMessages(t, server)
  const id = await reply('We **will** check it', { content_format: 'markdown' })
  assert.partialDeepStrictEqual(await waitForDelivery(server, id), sent)
  const [message] = ann.received
  assert.equal(message!.text, 'We will check it')
  assert.deepEqual(message!.entities, [{ type: 'bold', offset: 3, length: 4 }])
})

test('replies arrive in the order in which they were written, one per second', async t => {
  const { standIn, ann, reply } = await openConversation(t, server)
  standIn.world.floods = { chatBurst: 1, groupPerMinute: 20, botPerSecond: 30 }
  sendMessages(t, server)
  const ids = [await reply('one'), await reply('two'), await reply('three')]
  for (const id of ids) assert.partialDeepStrictEqual(await waitForDelivery(server, id), sent)
  assert.deepEqual(textsOf(ann.received), ['one', 'two', 'three'])
})

test('a long reply is sent in parts, and after a restart only the missing parts are sent', async t => {
  const { standIn, ann, bot, reply } = await openConversation(t, server)
  const first = sendMessages(t, server)
  standIn.world.findFault = ({ method }) =>
    method === 'sendMessage' && ann.received.length === 1 ? refusals.flood(1) : undefined
  const id = await reply(`${'a'.repeat(4_000)}\n\n${'b'.repeat(4_000)}\n\n${'c'.repeat(100)}`)
  await until(() => bot.calls.some(({ code }) => code === 429))
  await first.stop()
  assert.equal((await findDelivery(server, id)).status, 'pending')
  standIn.world.findFault = () => undefined
  sendMessages(t, server)
  assert.partialDeepStrictEqual(await waitForDelivery(server, id), { status: 'sent', error: null })
  assert.deepEqual(
    ann.received.map(({ text }) => text![0]),
    ['a', 'b', 'c'],
  )
})

test('files are sent as albums with the text as their caption', async t => {
  const { ann, reply } = await openConversation(t, server)
  sendMessages(t, server)
  const contents = { '1.png': picture, '2.png': picture, '3.txt': 'plain' }
  const media_ids: string[] = []
  for (const [filename, content] of Object.entries(contents))
    media_ids.push((await makeUpload(server.api, { filename, content })).id)
  const id = await reply('Two pictures and a text', { media_ids })
  assert.partialDeepStrictEqual(await waitForDelivery(server, id), { status: 'sent' })
  const [one, two, three] = ann.received
  assert.equal(one!.media_group_id, two!.media_group_id)
  assert.ok(one!.photo && two!.photo && !three!.media_group_id)
  assert.equal(three!.document!.file_name, '3.txt')
  assert.deepEqual(textsOf(ann.received), ['Two pictures and a text', undefined, undefined])
})

test("a reply to a contact's message quotes it in Telegram", async t => {
  const { ann, reply, messageId } = await openConversation(t, server)
  sendMessages(t, server)
  await waitForDelivery(server, await reply('Yes', { reply_to_id: messageId }))
  assert.equal(ann.received[0]!.reply_to_message!.text, 'Hello')
})

test('editing a reply edits it in Telegram, even if it is edited while being sent', async t => {
  const { standIn, ann, reply } = await openConversation(t, server)
  const { promise: isCalled, resolve: reportCall } = Promise.withResolvers<void>()
  standIn.world.findFault = ({ method }) => {
    if (method !== 'sendMessage') return undefined
    reportCall()
    return { delayMs: 300 }
  }
  sendMessages(t, server)
  const id = await reply('frist')
  await isCalled
  await server.api.patch(`/messages/${id}`, { content: 'first' })
  await until(() => ann.received[0]?.text === 'first')
  await waitForDelivery(server, id)
  await server.api.patch(`/messages/${id}`, { content: 'first, again' })
  await until(() => ann.received[0]?.text === 'first, again')
  assert.partialDeepStrictEqual(await findDelivery(server, id), { status: 'sent', error: null })
})

test("an operator's reaction appears in Telegram, and removing it removes it there", async t => {
  const { ann, messageId } = await openConversation(t, server)
  sendMessages(t, server)
  const { api } = await joinProject(server, server.acme, { role: 'operator' })
  const shown = () => [...ann.state.botReactions.values()].flat()
  await api.put(`/messages/${messageId}/reactions/${encodeURIComponent('❤️')}`, {})
  await until(() => shown().includes('❤'))
  await api.delete(`/messages/${messageId}/reactions/${encodeURIComponent('❤️')}`)
  await until(() => shown().length === 0)
})

test('a message fails with a note if the contact blocked the bot, and the chat is marked', async t => {
  const { ann, reply, ticketId, id: botId } = await openConversation(t, server)
  ann.state.refusal = 'blocked'
  sendMessages(t, server)
  const id = await reply('Anyone there?')
  const delivery = await waitForDelivery(server, id)
  assert.deepEqual(
    [delivery.status, delivery.error],
    ['failed', '403 Forbidden: bot was blocked by the user'],
  )
  const { body } = await server.api.get(`/tickets/${ticketId}/messages?sender_type=system`)
  assert.equal(body.items[0].system.kind, 'delivery_failed')
  assert.match(
    body.items[0].content,
    /^The Telegram message to Ann Lee could not be delivered: the person has blocked the bot$/,
  )
  const [chat] = await server.db`select blocked_at from telegram_chats where bot_id = ${botId}`
  assert.notEqual(chat!.blocked_at, null)
  ann.state.refusal = null
  await server.api.post(`/messages/${id}/retry`)
  assert.equal((await waitForDelivery(server, id)).status, 'sent')
})

test('a refused message fails, and does not hold up the next one', async t => {
  const { standIn, ann, reply } = await openConversation(t, server)
  standIn.world.findFault = ({ params }) =>
    params.text === 'bad' ? new Refusal(400, 'Bad Request: message is too strange') : undefined
  sendMessages(t, server)
  const [bad, good] = [await reply('bad'), await reply('good')]
  assert.equal((await waitForDelivery(server, bad)).error, '400 Bad Request: message is too strange')
  assert.partialDeepStrictEqual(await waitForDelivery(server, good), sent)
  assert.deepEqual(textsOf(ann.received), ['good'])
})

test('messages are retried in order if the server fails or does not answer', async t => {
  const { standIn, ann, reply } = await openConversation(t, server)
  let failures = 0
  standIn.world.findFault = ({ method }) =>
    method === 'sendMessage' && failures++ < 2 ? new Refusal(500, 'Internal Server Error') : undefined
  sendMessages(t, server)
  const [one, two] = [await reply('one'), await reply('two')]
  assert.partialDeepStrictEqual(await waitForDelivery(server, one), {
    status: 'sent',
    error: null,
    attempts: 3,
  })
  await waitForDelivery(server, two)
  assert.deepEqual(textsOf(ann.received), ['one', 'two'])
})

test('a message whose answer was lost is sent once more and marked, and after a second loss its outcome is unknown', async t => {
  const { standIn, ann, reply } = await openConversation(t, server)
  let cuts = 1
  standIn.world.findFault = ({ method }) => (method === 'sendMessage' && cuts-- > 0 ? 'cut_after' : undefined)
  sendMessages(t, server)
  const twice = await reply('twice')
  assert.partialDeepStrictEqual(await waitForDelivery(server, twice), {
    status: 'sent',
    error: 'maybe_sent_twice',
  })
  assert.deepEqual(textsOf(ann.received), ['twice', 'twice'])
  cuts = 2
  const unknown = await reply('unknown')
  assert.partialDeepStrictEqual(await waitForDelivery(server, unknown), {
    status: 'sent',
    error: 'outcome_unknown',
  })
  assert.equal(ann.received.length, 4)
})

test('a message whose answer was lost in an outage waits until the server answers again', async t => {
  const { standIn, ann, bot, reply } = await openConversation(t, server)
  standIn.world.findFault = ({ method }) => (method === 'getUpdates' ? undefined : 'cut_before')
  sendMessages(t, server)
  const id = await reply('after the outage')
  await until(() => bot.calls.filter(({ method }) => method === 'getMe').length > 3)
  assert.equal((await findDelivery(server, id)).status, 'pending')
  standIn.world.findFault = () => undefined
  assert.partialDeepStrictEqual(await waitForDelivery(server, id), {
    status: 'sent',
    error: 'maybe_sent_twice',
  })
  assert.deepEqual(textsOf(ann.received), ['after the outage'])
})

test('a message is sent once more and marked if its process ended during the call', async t => {
  const { reply, ann } = await openConversation(t, server)
  const id = await reply('Hello again')
  await server.db`update outgoing_queue set phase = 'ending' where message_id = ${id}`
  sendMessages(t, server)
  assert.partialDeepStrictEqual(await waitForDelivery(server, id), {
    status: 'sent',
    error: 'maybe_sent_twice',
  })
  assert.equal(ann.received.length, 1)
})

test('messages of a removed bot fail', async t => {
  const { reply, id: botId } = await openConversation(t, server)
  const id = await reply('Too late')
  const [chat] = await server.db`select id from telegram_chats where bot_id = ${botId}`
  await server.db`delete from telegram_bots where id = ${botId}`
  await server.db`insert into due_work values (${server.acme.id}, 'outgoing_telegram', ${chat!.id}, now())
    on conflict (project_id, kind, subject_id) do update set due_at = now()`
  sendMessages(t, server)
  assert.partialDeepStrictEqual(await waitForDelivery(server, id), { status: 'failed', error: 'bot_removed' })
})

test('closing a ticket notifies the contact, who can rate it with a button', async t => {
  const { ann, ticketId, settled } = await openConversation(t, server)
  sendMessages(t, server)
  await server.api.post(`/tickets/${ticketId}/close`)
  await until(() => ann.received.length > 0)
  const [message] = ann.received
  assert.match(message!.text!, /^We have closed your request \d+\..*\n\nHow satisfied/s)
  // The button belongs to the ticket once the call is recorded.
  const { items } = (await server.api.get(`/tickets/${ticketId}/messages?sender_type=bot`)).body
  await waitForDelivery(server, items[0].id)
  const events = await eventsOf(server, async () => {
    ann.press(message!.message_id, 'rate:4')
    await settled()
  })
  assert.ok(events.some(({ type, data }) => type === 'ticket.rated' && data.rating === 4))
  const { body } = await server.api.get(`/tickets/${ticketId}`)
  assert.deepEqual([body.status, body.rating, body.last_message.preview], ['closed', 4, 'Hello'])
})

test('a new ticket outside office hours gets the away message, which does not count as a reply', async t => {
  const hours = { timezone: 'UTC', days: [] }
  await server.db`insert into widgets (project_id, settings) values (${server.acme.id}, ${server.db.json({ hours })})
    on conflict (project_id) do update set settings = excluded.settings`
  t.after(() => server.db`delete from widgets where project_id = ${server.acme.id}`)
  const { ann, ticketId } = await openConversation(t, server)
  sendMessages(t, server)
  await until(() => ann.received.length > 0)
  assert.match(ann.received[0]!.text!, /^Thank you for your message\. Our office is closed/)
  const { body } = await server.api.get(`/tickets/${ticketId}`)
  assert.deepEqual(
    [body.status, body.last_message.sender_type, body.first_bot_reply_at ?? null],
    ['new', 'contact', null],
  )
})

test("an operator's reply in an API ticket that continues in Telegram goes there, unless the bot was blocked or removed", async t => {
  const { ann, settled, id: botId } = await openBot(t, server)
  sendMessages(t, server)
  const { body: made } = await server.api.post('/tickets', {
    contact: { email: 'continued@example.com' },
    content: 'By web',
  })
  ann.start(makeStartToken(server.vault, server.acme.id, { kind: 'ticket', id: made.id }))
  await settled()
  const { api } = await joinProject(server, server.acme, { role: 'operator' })
  const channelOf = async (content: string) =>
    (await api.post(`/tickets/${made.id}/messages`, { content })).body.channel
  ann.say('By Telegram')
  await settled()
  assert.equal(await channelOf('Here we are'), 'telegram')
  await until(() => textsOf(ann.received).includes('Here we are'))
  await server.db`update telegram_chats set blocked_at = now() where bot_id = ${botId}`
  assert.equal(await channelOf('Blocked'), 'api')
  await server.db`delete from telegram_bots where id = ${botId}`
  assert.equal(await channelOf('Removed'), 'api')
})

test("a ticket over the plan's limit is marked, not refused", async t => {
  await limitTickets(server.db, server.acme, 0)
  t.after(() => limitTickets(server.db, server.acme, 1_000_000))
  const { ticketId } = await openConversation(t, server)
  assert.equal((await server.api.get(`/tickets/${ticketId}`)).body.over_limit, true)
})
