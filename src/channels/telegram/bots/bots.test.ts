import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { nobody, typesOf } from '../../../../test/cast.ts'
import type { Client } from '../../../../test/client.ts'
import { joinProject } from '../../../../test/operator.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { type StandIn, startStandIn } from '../../../../test/telegram/stand-in.ts'
import { addFile } from '../../../../test/telegram/world.ts'
import { newId } from '../../../core/ids.ts'
import { canUseWebhook, receivingModeOf } from './receiving-mode.ts'

/** Admins add bots. Tokens are checked with Telegram and stored encrypted. */

let server: TestServer
let standIn: StandIn
let admin: Client
let rival: Client

before(async () => {
  server = await startServer({ delivers: false })
  standIn = await startStandIn()
  admin = (await joinProject(server, server.acme, { role: 'admin' })).api
  rival = (await joinProject(server, server.rival, { role: 'owner' })).api
})
after(async () => {
  await server.close()
  await standIn.close()
})

const inputOf = (token: string, more: object = {}) => ({ token, api_root: standIn.url, ...more })

async function add(more: object = {}) {
  const bot = standIn.addBot()
  const { body, status } = await admin.post('/telegram-bots', inputOf(bot.token, more))
  assert.equal(status, 201, JSON.stringify(body))
  return { bot, made: body }
}

test('checking a token shows its bot and stores nothing', async () => {
  const bot = standIn.addBot('Acme Support', 'lookup_bot')
  bot.picture = addFile(standIn.world, 'face.jpg', 'image/jpeg', Buffer.from([0xff, 0xd8]))
  const { body } = await admin.post('/telegram-bots/check', inputOf(bot.token))
  assert.deepEqual(body, {
    ...{ username: 'lookup_bot', name: 'Acme Support', picture: 'data:image/jpeg;base64,/9g=' },
    ...{ can_join_groups: true, can_read_groups: false, receives_by: 'polling', is_taken: false },
  })
  assert.equal((await admin.get('/telegram-bots')).body.items.length, 0)
})

test('a bot is added with its name, link and picture, and its token is never returned', async () => {
  const bot = standIn.addBot('Acme Support', 'acme_help_bot')
  bot.picture = addFile(standIn.world, 'face.jpg', 'image/jpeg', Buffer.from([0xff, 0xd8]))
  const texts = { en: { greeting: 'Hi there' } }
  const events = await typesOf(server, async () => {
    const { body, status, text } = await admin.post('/telegram-bots', inputOf(bot.token, { texts }))
    assert.equal(status, 201)
    assert.partialDeepStrictEqual(body, {
      ...{ username: 'acme_help_bot', name: 'Acme Support', link: 'https://t.me/acme_help_bot' },
      ...{ receiving: 'auto', receives_by: 'polling', state: 'active', takes_groups: false, texts },
    })
    assert.ok(!text.includes(bot.token))
    assert.equal((await admin.get(`/telegram-bots/${body.id}/picture`)).status, 200)
    const [row] = await server.db<{ token: Buffer }[]>`select token from telegram_bots where id = ${body.id}`
    assert.ok(!row!.token.includes(bot.token))
  })
  assert.deepEqual(events, [])
})

test('an invalid token and an unreachable server are each refused with their own reason', async () => {
  const reasonOf = async (input: object) => {
    const { body, status } = await admin.post('/telegram-bots', input)
    assert.equal(status, 422)
    return [body.detail.field, body.detail.reason]
  }
  assert.deepEqual(await reasonOf(inputOf('nonsense')), ['token', 'not_a_bot_token'])
  assert.deepEqual(await reasonOf(inputOf(`12345:${'A'.repeat(35)}`)), ['token', 'bot_token_refused'])
  const { token } = standIn.addBot()
  assert.deepEqual(await reasonOf({ token, api_root: 'http://127.0.0.1:9' }), ['api_root', 'bot_not_reached'])
  assert.deepEqual(await reasonOf({ token, api_root: 'http://169.254.169.254' }), [
    'api_root',
    'bot_not_reached',
  ])
  assert.deepEqual(await reasonOf({ token, api_root: 'ftp://example.com' }), ['api_root', 'not_an_address'])
})

test('a bot belongs to only one project in the installation until it is deleted', async () => {
  const { bot, made } = await add()
  const refused = await rival.post('/telegram-bots', inputOf(bot.token))
  assert.deepEqual([refused.status, refused.body.error_code], [409, 'TELEGRAM_BOT_EXISTS'])
  assert.equal((await rival.get(`/telegram-bots/${made.id}`)).status, 404)
  assert.equal((await admin.delete(`/telegram-bots/${made.id}`)).status, 204)
  assert.equal((await rival.post('/telegram-bots', inputOf(bot.token))).status, 201)
  assert.equal((await admin.get(`/telegram-bots/${made.id}`)).status, 404)
})

test("a project's own server cannot claim a bot on another server or reveal that it is taken", async t => {
  const other = await startStandIn()
  t.after(() => other.close())
  const { bot, made } = await add()
  other.world.bots.set(bot.token, bot)
  const claim = { token: bot.token, api_root: other.url }
  assert.equal((await rival.post('/telegram-bots/check', claim)).body.is_taken, false)
  assert.equal((await rival.post('/telegram-bots/check', inputOf(bot.token))).body.is_taken, true)
  assert.equal((await rival.post('/telegram-bots', claim)).status, 201)
  const moved = await admin.patch(`/telegram-bots/${made.id}`, claim)
  assert.deepEqual([moved.status, moved.body.error_code], [409, 'TELEGRAM_BOT_EXISTS'])
  assert.equal((await admin.get(`/telegram-bots/${made.id}`)).body.api_root, standIn.url)
})

test('renaming, pausing and resuming a bot are recorded in the audit log', async () => {
  const { made } = await add()
  const path = `/telegram-bots/${made.id}`
  const { body } = await admin.patch(path, { name: 'Help', takes_groups: true })
  assert.partialDeepStrictEqual(body, { name: 'Help', takes_groups: true, version: made.version + 1 })
  assert.equal((await admin.post(`${path}/pause`)).body.state, 'paused')
  assert.equal((await admin.post(`${path}/resume`)).body.state, 'active')
  const { rows } = {
    rows: await server.db`
    select action from audit_entries where target_id = ${made.id} order by id`,
  }
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['created', 'changed', 'paused', 'resumed'].map(action => `telegram_bot.${action}`),
  )
})

test('a new token must belong to the same bot, and a new server requires the token', async () => {
  const { made } = await add()
  const path = `/telegram-bots/${made.id}`
  const other = await admin.patch(path, { token: standIn.addBot().token })
  assert.deepEqual([other.body.detail.field, other.body.detail.reason], ['token', 'other_bot'])
  const moved = await admin.patch(path, { api_root: '' })
  assert.deepEqual([moved.body.detail.field, moved.body.detail.reason], ['token', 'required'])
})

test('a new server starts with its own update ids', async t => {
  const { bot, made } = await add()
  const other = await startStandIn()
  t.after(() => other.close())
  other.world.bots.set(bot.token, bot)
  const { db, acme } = server
  await db`update telegram_bots set next_update_id = 900, last_update_at = now() where id = ${made.id}`
  const chatId = newId()
  await db`insert into telegram_chats (project_id, id, bot_id, chat_id) values (${acme.id}, ${chatId}, ${made.id}, 5)`
  for (const [at, state] of ['done', 'failed', 'stored'].entries())
    await db`
      insert into telegram_updates (project_id, bot_id, update_id, chat_id, content, state)
      values (${acme.id}, ${made.id}, ${at}, ${chatId}, '{}', ${state})`
  const { status } = await admin.patch(`/telegram-bots/${made.id}`, { token: bot.token, api_root: other.url })
  assert.equal(status, 200)
  const [row] = await db`
    select next_update_id::int as next_update_id, last_update_at from telegram_bots where id = ${made.id}`
  assert.deepEqual({ ...row }, { next_update_id: 0, last_update_at: null })
  const left = await db`
    select state from telegram_updates where bot_id = ${made.id} and update_id < 0 order by update_id`
  assert.deepEqual(
    left.map(({ state }) => state),
    ['failed', 'stored'],
  )
})

test('a change based on outdated settings is refused', async () => {
  const { made } = await add()
  const headers = { 'If-Match': `"${made.version + 5}"` }
  const { status, body } = await admin.patch(`/telegram-bots/${made.id}`, { name: 'Help' }, { headers })
  assert.deepEqual([status, body.error_code], [412, 'SETTINGS_CHANGED'])
})

test('the connection test reports whether the token still works', async () => {
  const { bot, made } = await add()
  assert.deepEqual((await admin.post(`/telegram-bots/${made.id}/test`)).body, {
    ...{ ok: true, problem: null, webhook: null },
  })
  standIn.world.bots.delete(bot.token)
  const { body } = await admin.post(`/telegram-bots/${made.id}/test`)
  assert.deepEqual([body.ok, body.problem.code], [false, 'token_refused'])
  assert.match(body.problem.text, /^Telegram does not accept the token/)
})

test('operators see outages of bots, but not their settings', async () => {
  const operator = await joinProject(server, server.acme, { role: 'operator' })
  assert.equal((await operator.api.get('/telegram-bots')).status, 403)
  assert.equal((await operator.api.get('/telegram-bots/outages')).status, 200)
  assert.equal((await admin.get(`/telegram-bots/${nobody}`)).body.error_code, 'TELEGRAM_BOT_NOT_FOUND')
})

test('Telegram can deliver only to a public HTTPS address on a port that it supports', () => {
  assert.ok(canUseWebhook('https://desk.example.com'))
  assert.ok(canUseWebhook('https://desk.example.com:8443/base'))
  for (const url of ['http://desk.example.com', 'https://desk.example.com:444', 'https://localhost'])
    assert.equal(receivingModeOf({ receiving: 'auto' }, url), 'polling')
  assert.equal(receivingModeOf({ receiving: 'webhook' }, 'http://localhost'), 'webhook')
})
