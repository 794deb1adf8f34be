import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { startServer, type TestServer } from '../../../../test/server.ts'
import {
  addOwnBot,
  openStandIn,
  receiveUpdates,
  textsOf,
  waitForUpdates,
} from '../../../../test/telegram/bots.ts'
import { makePerson, Participant } from '../../../../test/telegram/people.ts'
import { Refusal, refusals } from '../../../../test/telegram/refusals.ts'
import { until } from '../../../../test/until.ts'
import { findBotRow } from '../bots/queries.ts'
import { deriveWebhookKeys, webhookUrlOf } from '../bots/secrets.ts'
import { storeUpdates } from './store-updates.ts'

/** Updates are stored once, by polling or by webhook. */

let server: TestServer

before(async () => {
  server = await startServer({ delivers: false })
  Object.assign(server.config, { publicUrl: server.url.replace('/api/v1', '') })
})
after(() => server.close())

async function setUp(t: TestContext, receiving: 'polling' | 'webhook' = 'polling') {
  const standIn = await openStandIn(t)
  const bot = standIn.addBot()
  const ann = new Participant(standIn.world, bot, makePerson())
  const { id } = await addOwnBot(server, standIn, bot, { receiving })
  t.after(() => server.db`delete from telegram_bots where id = ${id}`)
  const stateOf = async () => (await findBotRow(server.db, server.acme.id, id))!
  return { standIn, bot, ann, id, stateOf }
}

test('fetched updates are confirmed only after they have been stored', async t => {
  const { bot, ann, id, stateOf } = await setUp(t)
  ann.say('before the start')
  receiveUpdates(t, server)
  await waitForUpdates(server, id, 1)
  ann.say('after the start')
  assert.deepEqual(textsOf(await waitForUpdates(server, id, 2)), ['before the start', 'after the start'])
  await until(() => bot.updates.length === 0)
  assert.equal((await stateOf()).last_error, null)
  assert.notEqual((await stateOf()).last_ok_at, null)
})

test('a new bot gets a command menu in every language', async t => {
  const { bot } = await setUp(t)
  receiveUpdates(t, server)
  const sets = () => bot.calls.filter(({ method }) => method === 'setMyCommands')
  await until(() => sets().length === 18)
  const german = sets().find(({ params }) => params.language_code === 'de')
  assert.deepEqual(
    german!.params.commands.map(({ command }: { command: string }) => command),
    ['start', 'new'],
  )
})

test('an update that arrives twice is stored once', async t => {
  const { bot, ann, id } = await setUp(t)
  ann.say('Hello')
  const [update] = bot.updates
  const target = { project_id: server.acme.id, id }
  await storeUpdates(server.db, target, [update!, update!], false)
  await storeUpdates(server.db, target, [update!], true)
  await waitForUpdates(server, id, 1)
})

test('characters that Postgres cannot store are removed or replaced in updates', async t => {
  const { ann, id } = await setUp(t)
  ann.say('a\0b\ud83dc')
  receiveUpdates(t, server)
  assert.deepEqual(textsOf(await waitForUpdates(server, id, 1)), ['ab\ufffdc'])
})

test('a webhook is set with a secret, and its updates are stored', async t => {
  const { bot, ann, id } = await setUp(t, 'webhook')
  ann.say('waiting')
  receiveUpdates(t, server)
  await waitForUpdates(server, id, 1)
  assert.equal(bot.webhook?.secret?.length, 43)
  ann.say('next')
  assert.deepEqual(textsOf(await waitForUpdates(server, id, 2)), ['waiting', 'next'])
})

test("a request with a wrong secret or path, or with another bot's, is refused and not stored", async t => {
  const { id } = await setUp(t, 'webhook')
  const keys = deriveWebhookKeys(server.vault, server.acme.id, id)
  const forged = JSON.stringify({ update_id: 1, message: { message_id: 1, chat: { id: 5 }, text: 'forged' } })
  const post = async (url: string, secret: string, body = forged): Promise<number> => {
    const headers = { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret }
    return (await fetch(url, { method: 'POST', headers, body })).status
  }
  const { publicUrl } = server.config
  const url = webhookUrlOf(publicUrl, server.acme.id, id, keys)
  assert.equal(await post(url, 'wrong'), 404)
  // The body is not read.
  assert.equal(await post(url, 'wrong', 'no JSON'), 404)
  assert.equal(await post(url, keys.secret, 'no JSON'), 422)
  assert.equal(await post(`${url}x`, keys.secret), 404)
  assert.equal(await post(webhookUrlOf(publicUrl, server.rival.id, id, keys), keys.secret), 404)
  assert.equal((await server.db`select from telegram_updates where bot_id = ${id}`).length, 0)
  assert.equal(await post(url, keys.secret), 200)
  await waitForUpdates(server, id, 1)
})

test('requests from others are rate-limited by address, and those from Telegram are not', async t => {
  const { id } = await setUp(t, 'webhook')
  const keys = deriveWebhookKeys(server.vault, server.acme.id, id)
  const { config } = server
  const { rateLimitPerIp } = config
  Object.assign(config, { rateLimitPerIp: 2 })
  t.after(() => Object.assign(config, { rateLimitPerIp }))
  const url = webhookUrlOf(config.publicUrl, server.acme.id, id, keys)
  const post = async (secret: string, update_id: number): Promise<Response> => {
    const headers = { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret }
    const body = JSON.stringify({ update_id, message: { message_id: 1, chat: { id: 5 }, text: 'a' } })
    return fetch(url, { method: 'POST', headers, body })
  }
  const refused = await until(async () => {
    const response = await post('wrong', 1)
    return response.status === 429 && response
  })
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  for (const update_id of [1, 2, 3, 4]) assert.equal((await post(keys.secret, update_id)).status, 200)
  await waitForUpdates(server, id, 4)
})

test('switching between polling and a webhook loses nothing and stores nothing twice', async t => {
  const { bot, ann, id } = await setUp(t)
  receiveUpdates(t, server)
  const change = (receiving: string) =>
    server.db`update telegram_bots set receiving = ${receiving}, version = version + 1 where id = ${id}`
  ann.say('1')
  await waitForUpdates(server, id, 1)
  await change('webhook')
  ann.say('2')
  await until(() => bot.webhook !== null)
  ann.say('3')
  await waitForUpdates(server, id, 3)
  await change('polling')
  await until(() => bot.webhook === null)
  ann.say('4')
  assert.deepEqual(textsOf(await waitForUpdates(server, id, 4)), ['1', '2', '3', '4'])
})

test('a refused token breaks the bot until the token is corrected', async t => {
  const { standIn, stateOf } = await setUp(t)
  standIn.world.findFault = () => refusals.unauthorized()
  receiveUpdates(t, server)
  await until(async () => (await stateOf()).state === 'broken')
  assert.equal((await stateOf()).last_error?.code, 'token_refused')
})

test('a bot keeps working if a proxy answers instead of the server', async t => {
  const { standIn, ann, id, stateOf } = await setUp(t)
  standIn.world.findFault = ({ method }) => (method === 'getUpdates' ? { proxyStatus: 404 } : undefined)
  receiveUpdates(t, server)
  await until(async () => (await stateOf()).last_error !== null)
  assert.deepEqual([(await stateOf()).last_error!.code, (await stateOf()).state], ['server', 'active'])
  standIn.world.findFault = () => undefined
  ann.say('Hello')
  await waitForUpdates(server, id, 1)
})

test("another program that fetches the bot's updates is reported, and receiving continues once it stops", async t => {
  const { standIn, ann, id, stateOf } = await setUp(t)
  standIn.world.findFault = ({ method }) => (method === 'getUpdates' ? refusals.otherPoller() : undefined)
  receiveUpdates(t, server)
  await until(async () => (await stateOf()).last_error?.code === 'other_program')
  standIn.world.findFault = () => undefined
  ann.say('Hello')
  await waitForUpdates(server, id, 1)
  await until(async () => (await stateOf()).last_error === null)
})

test('a webhook that Telegram cannot reach is reported, and unless a mode is set the bot polls', async t => {
  const { standIn, ann, id, stateOf } = await setUp(t, 'webhook')
  receiveUpdates(t, server)
  standIn.world.findFault = ({ method }) =>
    method === 'setWebhook' ? new Refusal(400, 'Bad Request: bad webhook: IP address is reserved') : undefined
  await until(async () => (await stateOf()).last_error?.code === 'webhook_refused')
  assert.equal((await stateOf()).last_error!.values.url, new URL(server.url).origin)
  await server.db`update telegram_bots set receiving = 'auto', backoff_until = null where id = ${id}`
  ann.say('Hello')
  await waitForUpdates(server, id, 1)
})

test('no update is lost if the numbers start anywhere after a week without updates', async t => {
  const { bot, ann, id } = await setUp(t)
  const receiving = receiveUpdates(t, server)
  ann.say('old')
  await waitForUpdates(server, id, 1)
  await until(() => bot.updates.length === 0)
  await receiving.stop()
  await server.db`update telegram_bots set last_update_at = now() - interval '8 days' where id = ${id}`
  bot.nextUpdateId = 1_000
  ann.say('new')
  receiveUpdates(t, server)
  assert.deepEqual(textsOf(await waitForUpdates(server, id, 2)), ['new', 'old'])
})

test('after an outage of more than 24 hours, the period in which messages may be missing is shown', async t => {
  const { stateOf, id } = await setUp(t)
  await server.db`update telegram_bots set last_ok_at = now() - interval '30 hours' where id = ${id}`
  receiveUpdates(t, server)
  await until(async () => (await stateOf()).missed !== null)
  const { from, until: end } = (await stateOf()).missed!
  assert.ok(from < end)
})

test('a paused bot receives nothing, and messages sent during the pause arrive when it is resumed', async t => {
  const { ann, id, bot } = await setUp(t)
  receiveUpdates(t, server)
  await until(() => bot.poller !== null)
  await server.db`update telegram_bots set state = 'paused', version = version + 1 where id = ${id}`
  await until(() => bot.poller === null)
  ann.say('Are you there?')
  assert.equal((await server.db`select from telegram_updates where bot_id = ${id}`).length, 0)
  await server.db`update telegram_bots set state = 'active', version = version + 1 where id = ${id}`
  await server.db`insert into due_work values (${server.acme.id}, 'telegram_bots', ${id}, now())
    on conflict (project_id, kind, subject_id) do update set due_at = now()`
  await waitForUpdates(server, id, 1)
})
