import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeTicket } from '../../../test/cast.ts'
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

test('a ticket from Telegram shows its chat and its bot, and others show none', async t => {
  const { ann, bot, settled, id } = await openBot(t, server)
  ann.say('Hello')
  await settled()
  const [message] = await listMessages(server, ann.person.id)
  const { api } = await joinProject(server, server.acme, { role: 'operator' })
  const { body } = await api.get(`/tickets/${message!.ticket_id}/telegram`)
  assert.deepEqual(body.chat, {
    ...{ title: 'Ann Lee', is_group: false, blocked_at: null, bot_id: id, bot_username: bot.user.username },
    ...{ bot_name: 'Acme Support', bot_state: 'active' },
  })
  const other = await makeTicket(server.api)
  assert.deepEqual((await api.get(`/tickets/${other.id}/telegram`)).body, { chat: null })
})

test('a visitor of the chat gets a link to a bot, with which the conversation continues there', async t => {
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
  const stranger = await begin(server, server.acme)
  assert.equal((await stranger.api.post(`/tickets/${id}/telegram-link`)).status, 404)
})

test('a bot that is paused is not offered', async () => {
  const botId = await insertBot(server, server.acme, 'paused_bot')
  await server.db`update telegram_bots set state = 'paused' where id = ${botId}`
  const visitor = await begin(server, server.acme)
  const { id } = await ask(visitor, { content: 'By chat' })
  assert.equal((await visitor.api.post(`/tickets/${id}/telegram-link`)).status, 409)
})
