import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parseScrape } from '../../../../test/promql.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { makePerson, Participant } from '../../../../test/telegram/people.ts'
import { refusals } from '../../../../test/telegram/refusals.ts'
import { openConversation, sendMessages, waitForDelivery } from '../../../../test/telegram/sending.ts'
import { until } from '../../../../test/until.ts'
import { printMetrics } from '../../../core/telemetry/metrics.ts'
import { transact } from '../../../events/transaction.ts'
import { wakeAccount } from '../../../outgoing/outgoing.ts'

/** Telegram's rate limits, which all messages of a chat and of a bot share. */

let server: TestServer

before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

const floods = { chatBurst: 1, groupPerMinute: 20, botPerSecond: 30 }

test('greetings and replies in a chat take turns, so none is refused', async t => {
  const { standIn, bot, ann, reply } = await openConversation(t, server)
  standIn.world.floods = floods
  sendMessages(t, server)
  ann.start()
  await until(() => ann.received.length === 1)
  const id = await reply('Hello')
  ann.say('/new')
  assert.partialDeepStrictEqual(await waitForDelivery(server, id), { status: 'sent', attempts: 1 })
  await until(() => ann.received.length === 3)
  assert.deepEqual(
    bot.calls.filter(({ code }) => code !== null),
    [],
  )
})

test("greetings count towards the bot's rate limit", async t => {
  const { standIn, bot, settled, id: botId } = await openConversation(t, server)
  standIn.world.floods = floods
  const people = Array.from({ length: 30 }, () => new Participant(standIn.world, bot, makePerson()))
  for (const one of people) one.start()
  await settled()
  await until(() => people.every(one => one.received.length === 1))
  assert.deepEqual(
    bot.calls.filter(({ code }) => code !== null),
    [],
  )
  const [rate] = await server.db`select sent_count from telegram_bot_rates where bot_id = ${botId}`
  assert.ok(rate!.sent_count > 0 && rate!.sent_count <= 25)
})

test('a message waits while its bot has sent as many as Telegram allows in a second', async t => {
  const { reply, id: botId } = await openConversation(t, server)
  // The second in which the bot may send no more begins late, so that a slow machine also meets it.
  const [before] = await server.db`
    update telegram_bot_rates set sent_count = 25, sent_since = now() + interval '3 seconds'
    where bot_id = ${botId} returning sent_since`
  sendMessages(t, server)
  await waitForDelivery(server, await reply('Hello'))
  const [rate] = await server.db`
    select sent_count, sent_since >= ${before!.sent_since}::timestamptz + interval '1 second' as has_waited
    from telegram_bot_rates where bot_id = ${botId}`
  assert.deepEqual([rate!.sent_count, rate!.has_waited], [1, true])
})

test('a greeting that Telegram refuses with 429 holds the chat and the bot', async t => {
  const { standIn, bot, ann, id: botId } = await openConversation(t, server)
  let calls = 0
  standIn.world.findFault = ({ method }) =>
    method === 'sendMessage' && calls++ === 0 ? refusals.flood(1) : undefined
  ann.start()
  await until(() => bot.calls.some(({ code }) => code === 429))
  await until(
    async () =>
      (await server.db`select from telegram_bot_rates where bot_id = ${botId} and send_after is not null`)
        .length > 0,
  )
})

test('the first message in a quiet chat is sent immediately, and the next one a second later', async t => {
  const { standIn, ann, bot, reply } = await openConversation(t, server)
  standIn.world.floods = floods
  sendMessages(t, server)
  await waitForDelivery(server, await reply('one'))
  const next = await reply('two')
  assert.partialDeepStrictEqual(await waitForDelivery(server, next), { status: 'sent', attempts: 1 })
  const [first, second] = bot.calls.filter(({ method }) => method === 'sendMessage').map(({ at }) => at)
  assert.ok(second! - first! >= 1_000, `${second! - first!} ms`)
  assert.equal(ann.received.length, 2)
})

test('metrics count sent and failed Telegram messages and show the age of the oldest waiting one', async t => {
  const { ann, reply } = await openConversation(t, server)
  const read = async (name: string) =>
    Object.fromEntries(
      parseScrape(await printMetrics())
        .filter(one => one.name === name && one.labels.channel === 'telegram')
        .map(({ labels, value }) => [labels.result ?? '', value]),
    )
  const results = () => read('deskbell_outgoing_messages_total')
  const before = await results()
  const id = await reply('one')
  ann.state.refusal = 'blocked'
  await server.db`update outgoing_queue set created_at = now() - interval '1 hour' where message_id = ${id}`
  await server.db`update telegram_bots set state = 'paused' where project_id = ${server.acme.id}`
  sendMessages(t, server)
  await until(async () => (await read('deskbell_outgoing_oldest_seconds'))['']! >= 3_600)
  await server.db`update telegram_bots set state = 'active' where project_id = ${server.acme.id}`
  await transact(server.db, server.acme.id, async tx => {
    const [queued] = await tx<{ account_id: string }[]>`
      select account_id from outgoing_queue where project_id = ${server.acme.id} and message_id = ${id}`
    wakeAccount(tx, queued!.account_id, 'telegram')
  })
  await waitForDelivery(server, id)
  ann.state.refusal = null
  await waitForDelivery(server, await reply('two'))
  const { sent, failed, uncertain } = before
  // A result is counted after the commit.
  await until(async () => (await results()).sent === sent! + 1)
  assert.deepEqual(await results(), { sent: sent! + 1, failed: failed! + 1, uncertain })
})

test('a chat that another transaction has locked does not delay other chats', async t => {
  const [slow, quick] = [await openConversation(t, server), await openConversation(t, server)]
  sendMessages(t, server)
  const waiting = await server.db.begin(async sql => {
    await sql`set local idle_in_transaction_session_timeout = 0`
    await sql`select from telegram_chats where bot_id = ${slow.id} for no key update`
    const id = await slow.reply('slow')
    await waitForDelivery(server, await quick.reply('quick'))
    return id
  })
  assert.equal(quick.ann.received.length, 1)
  assert.equal((await waitForDelivery(server, waiting)).status, 'sent')
})
