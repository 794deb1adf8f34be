import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { makeTicket } from '../cast.ts'
import { type Client, createClient } from '../client.ts'
import { freePort } from '../free-port.ts'
import { needs } from '../needs.ts'
import { keyOf, makeDataDir, type Program, startServer, stopServer } from '../run/program.ts'
import { until } from '../until.ts'
import { exampleFile, startExample } from './example.ts'
import { type FaultyProxy, startProxy } from './proxy.ts'

const skip = needs('python3').skip

interface Shop {
  api: Client
  /** Starts the bot, and waits until it follows the log. */
  startBot(): Promise<Program>
  /** Kills the server. */
  stop(): Promise<unknown>
  /** Starts the server again at the same address. */
  restart(): Promise<void>
  /** The proxy between the bot and the server. */
  proxy: FaultyProxy
  cursor: string
}

/** Starts a server that a test may kill, and a bot that knows two orders. */
async function openShop(context: { after(run: () => void): void }): Promise<Shop> {
  const dataDir = makeDataDir(context)
  const settings = { DATA_DIR: dataDir, PORT: String(await freePort()) }
  let server = await startServer(context, settings)
  const key = keyOf(server)
  const cursor = join(dataDir, 'order-bot.cursor')
  const proxy = await startProxy(context, server.url)
  const access = {
    DESKBELL_URL: proxy.url,
    DESKBELL_API_KEY: key,
    CURSOR_FILE: cursor,
    ORDERS_FILE: exampleFile('order-bot/orders.json'),
    PYTHONDONTWRITEBYTECODE: '1',
  }
  return {
    api: createClient(`${server.url}/api/v1`, key),
    cursor,
    async startBot() {
      const bot = startExample(context, 'python3', [exampleFile('order-bot/order_bot.py')], access)
      await until(() => bot.stdout.includes('Waiting for questions') || bot.child.exitCode !== null)
      return bot
    },
    async restart() {
      server = await startServer(context, settings)
    },
    proxy,
    stop: () => stopServer(server, 'SIGKILL'),
  }
}

const ask = (api: Client, content: string) =>
  makeTicket(api, { contact: { email: 'ann@example.com' }, content, tags: ['vip'] })

const listAnswers = async (api: Client, ticketId: string) =>
  (await api.get(`/tickets/${ticketId}/messages?sender_type=bot`)).body.items as {
    content: string
    is_internal: boolean
    sender_name: string
    reply_to_id: string
  }[]

const untilAnswered = async (api: Client, { id }: { id: string }, count = 1) =>
  until(async () => {
    const answers = await listAnswers(api, id)
    return answers.length >= count && answers
  })

/** The tests share one server and bot, in this order. */
const ends: (() => void)[] = []
after(() => {
  for (const end of ends.reverse()) end()
})
const shop = await openShop({ after: run => void ends.push(run) })
const { api } = shop
const early = await ask(api, 'Where is A-17? I ask before the bot has ever run')
let bot = skip ? null : await shop.startBot()

test('the order bot tells contacts about their own orders', {
  skip,
}, async () => {
  const ticket = await ask(api, 'Where is my order A-17? And A-17 again')
  const [answer, ...more] = await untilAnswered(api, ticket)
  assert.deepEqual(more, [])
  assert.match(answer!.content, /^A-17: sent on Monday/)
  const [question] = (await api.get(`/tickets/${ticket.id}/messages`)).body.items
  assert.deepEqual(
    [answer!.is_internal, answer!.sender_name, answer!.reply_to_id],
    [false, 'Order bot', question.id],
  )
})

test("the order bot leaves unknown and other contacts' orders to people, with a note and a tag", {
  skip,
}, async () => {
  const ticket = await ask(api, 'What about A-18 and Z-999?')
  const [note, ...more] = await untilAnswered(api, ticket)
  assert.deepEqual(more, [])
  assert.deepEqual([note!.is_internal, note!.content], [true, 'No order of this contact: A-18, Z-999'])
  const tags = async () => (await api.get(`/tickets/${ticket.id}`)).body.tags
  await until(async () => (await tags()).length === 2)
  assert.deepEqual((await tags()).sort(), ['unknown-order', 'vip'])
})

test('the order bot answers once, even if it was killed before it could save its position', {
  skip,
}, async () => {
  const before = readFileSync(shop.cursor, 'utf8')
  const ticket = await ask(api, 'A-17, please')
  await untilAnswered(api, ticket)
  bot!.child.kill('SIGKILL')
  await bot!.ended
  const asked = await ask(api, 'A-17? Nobody is there')
  writeFileSync(shop.cursor, before)
  bot = await shop.startBot()
  await untilAnswered(api, asked)
  assert.equal((await listAnswers(api, ticket.id)).length, 1)
})

test('the order bot waits for a killed server', { skip }, async () => {
  await shop.stop()
  await shop.restart()
  assert.equal((await untilAnswered(api, await ask(api, 'A-17 after the restart'))).length, 1)
})

test('the order bot answers once, even if responses are lost and the server is busy', {
  skip,
}, async () => {
  const busy = { status: 429, headers: { 'retry-after': '1' } }
  shop.proxy.fail(
    'POST',
    busy,
    { status: 502, headers: { 'retry-after': 'Thu, 01 Jan 2026 00:00:00 GMT' } },
    { status: 504, isCarriedOut: true },
  )
  shop.proxy.fail('PATCH', busy, { status: 503, isCarriedOut: true })
  const ticket = await ask(api, 'A-17 and Z-999')
  await until(async () => (await api.get(`/tickets/${ticket.id}`)).body.tags.length === 2)
  await until(() => shop.proxy.isDone())
  assert.deepEqual(
    (await listAnswers(api, ticket.id)).map(answer => answer.is_internal),
    [false, true],
  )
})

test('the order bot ignores questions from before its first start', { skip }, async () => {
  assert.deepEqual(await listAnswers(api, early.id), [])
})
