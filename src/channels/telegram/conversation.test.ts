import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Member, makeTicket } from '../../../test/cast.ts'
import { joinProject } from '../../../test/operator.ts'
import { startServer, type TestServer } from '../../../test/server.ts'
import { insertBot, listMessages, openBot } from '../../../test/telegram/bots.ts'
import { ask, begin, switchOn } from '../../../test/widget.ts'

/** The chat of a ticket, and links that continue a conversation in Telegram. */

let server: TestServer

before(async () => {
  server = await startServer({ delivers: false })
  await switchOn(server, server.acme)
})
after(() => server.close())

test('a ticket from Telegram shows its chat and its bot, and other tickets show neither', async t => {
  const { ann, bot, settled, id } = await openBot(t, server)
  ann.say('Hello')
  await settled()
  const [message] = await listMessages(server, ann.person.id)
  const { api } = await joinProject(server, server.acme, { role: 'operator' })
  const { body } = await api.get(`/tickets/${message!.ticket_id}/telegram`)
  assert.deepEqual(body.chat, {
    ...{ title: 'Ann Lee', is_group: false, is_topic: false, blocked_at: null, failed_updates: 0 },
    ...{ bot_id: id, bot_username: bot.user.username, bot_name: 'Acme Support', bot_state: 'active' },
    takes_replies: true,
  })
  const other = await makeTicket(server.api)
  assert.deepEqual((await api.get(`/tickets/${other.id}/telegram`)).body, { chat: null })
})

test('a visitor of the website chat gets a link that continues the conversation with a bot', async t => {
  const visitor = await begin(server, server.acme)
  const { id } = await ask(visitor, { content: 'By chat' })
  const without = await visitor.api.post(`/tickets/${id}/telegram-link`)
  assert.deepEqual([without.status, without.body.detail], [409, { reason: 'no_telegram_bot' }])
  const { ann, bot, settled } = await openBot(t, server)
  const { body } = await visitor.api.post(`/tickets/${id}/telegram-link`)
  assert.equal(body.username, bot.user.username)
  const start = new URL(body.url).searchParams.get('start')
  ann.start(start ?? '')
  ann.say('By Telegram')
  await settled()
  const { items } = (await server.api.get(`/tickets/${id}/messages`)).body
  assert.deepEqual(
    items.map(({ content, channel }: { content: string; channel: string }) => [content, channel]),
    [
      ['By chat', 'widget'],
      ['By Telegram', 'telegram'],
    ],
  )
  const { api: operator } = await joinProject(server, server.acme, { role: 'operator' })
  const takesReplies = async () => (await operator.get(`/tickets/${id}/telegram`)).body.chat.takes_replies
  assert.equal(await takesReplies(), true)
  await visitor.api.post(`/tickets/${id}/messages`, { content: 'By chat again' })
  assert.equal(await takesReplies(), false)
  const stranger = await begin(server, server.acme)
  assert.equal((await stranger.api.post(`/tickets/${id}/telegram-link`)).status, 404)
})

test('a paused bot is not offered', async () => {
  const botId = await insertBot(server, server.acme, 'paused_bot')
  await server.db`update telegram_bots set state = 'paused' where id = ${botId}`
  const visitor = await begin(server, server.acme)
  const { id } = await ask(visitor, { content: 'By chat' })
  assert.equal((await visitor.api.post(`/tickets/${id}/telegram-link`)).status, 409)
})

test('a ticket names the bot where it continues until the bot is blocked or the visitor writes in the website chat', async t => {
  const { ann, bot, settled } = await openBot(t, server)
  const visitor = await begin(server, server.acme)
  const { id } = await ask(visitor, { content: 'By chat' })
  const other = await ask(visitor, { content: 'Another one' })
  const usernameOf = async (ticketId: string) =>
    (await visitor.api.get(`/tickets/${ticketId}`)).body.telegram_username
  assert.equal(await usernameOf(id), null)
  const { body } = await visitor.api.post(`/tickets/${id}/telegram-link`)
  ann.start(new URL(body.url).searchParams.get('start') ?? '')
  await settled()
  assert.equal(await usernameOf(id), bot.user.username)
  assert.equal(await usernameOf(other.id), null)
  ann.say('By Telegram')
  await settled()
  assert.equal(await usernameOf(id), bot.user.username)
  ann.block()
  await settled()
  assert.equal(await usernameOf(id), null, 'replies are only shown in the website chat')
  ann.unblock()
  await settled()
  assert.equal(await usernameOf(id), bot.user.username)
  await visitor.api.post(`/tickets/${id}/messages`, { content: 'By chat again' })
  assert.equal(await usernameOf(id), null)
})

test('the website chat offers Telegram only if the project has an active bot', async t => {
  await server.db`delete from telegram_bots`
  await switchOn(server, server.rival)
  const offersOf = async (member: Member) =>
    (await (await begin(server, member)).api.get('/config')).body.features.telegram
  assert.equal(await offersOf(server.acme), false)
  const { id } = await openBot(t, server)
  assert.deepEqual([await offersOf(server.acme), await offersOf(server.rival)], [true, false])
  await switchOn(server, server.acme, { shows_telegram: false })
  assert.equal(await offersOf(server.acme), false)
  await switchOn(server, server.acme, { shows_telegram: true })
  await server.db`update telegram_bots set state = 'broken' where id = ${id}`
  assert.equal(await offersOf(server.acme), false)
})
