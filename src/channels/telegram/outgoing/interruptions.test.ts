import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { insertBot } from '../../../../test/telegram/bots.ts'
import { refusals } from '../../../../test/telegram/refusals.ts'
import { openConversation, sendMessages, waitForDelivery } from '../../../../test/telegram/sending.ts'
import { until } from '../../../../test/until.ts'
import { makeUpload } from '../../../../test/upload.ts'
import { newId } from '../../../core/ids.ts'
import { transact } from '../../../events/transaction.ts'
import { BotApiRefusal } from '../bot-api/errors.ts'
import { migrateChat } from '../incoming/migrate-chat.ts'
import { telegramPauses } from './judge-failure.ts'
import { insertSend } from './send-queries.ts'

/** What happens to messages when processes stop, chats move and servers fail. */

let server: TestServer

before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

async function addChat(botId: string, telegramId: number): Promise<string> {
  const id = newId()
  await server.db`
    insert into telegram_chats (project_id, id, bot_id, chat_id) values (${server.acme.id}, ${id}, ${botId}, ${telegramId})`
  return id
}

test('a stopping process lets a file upload finish', async t => {
  const { standIn, ann, reply } = await openConversation(t, server)
  const { promise: isCalled, resolve: reportCall } = Promise.withResolvers<void>()
  standIn.world.findFault = ({ method }) => {
    if (method !== 'sendDocument') return undefined
    reportCall()
    return { delayMs: 300 }
  }
  const sending = sendMessages(t, server)
  const { id: file } = await makeUpload(server.api, { filename: '1.txt', content: 'plain' })
  const id = await reply('A file', { media_ids: [file] })
  await isCalled
  await sending.stop()
  assert.partialDeepStrictEqual(await waitForDelivery(server, id), { status: 'sent', error: null })
  assert.equal(ann.received.length, 1)
})

test('stored updates of a group that has moved to another chat are handled in the new chat', async () => {
  const botId = await insertBot(server, server.acme, 'moving_bot')
  const { db, acme } = server
  const [from, to] = [await addChat(botId, -5), await addChat(botId, -1_000_000_000_005)]
  await db`
    insert into telegram_updates (project_id, bot_id, update_id, chat_id, content)
    values (${acme.id}, ${botId}, 1, ${from}, '{}')`
  await transact(db, acme.id, tx => migrateChat(tx, botId, -5, -1_000_000_000_005))
  const [chat] = await db`select due_at from telegram_chats where id = ${to}`
  assert.notEqual(chat!.due_at, null)
  const due = await db`select from due_work where kind = 'telegram_updates' and subject_id = ${botId}`
  assert.equal(due.length, 1)
})

test('a group whose new chat is not known yet keeps its chat, which gets the new id', async () => {
  const botId = await insertBot(server, server.acme, 'growing_bot')
  const { db, acme } = server
  const id = await addChat(botId, -6)
  await transact(db, acme.id, tx => migrateChat(tx, botId, -6, -1_000_000_000_006))
  const chats = await db`select id, chat_id::float8 as chat_id from telegram_chats where bot_id = ${botId}`
  assert.deepEqual(
    chats.map(chat => [chat.id, chat.chat_id]),
    [[id, -1_000_000_000_006]],
  )
})

test('a message that is retried in another chat starts there with its first part', async t => {
  const { reply, id: botId } = await openConversation(t, server)
  const id = await reply('Hello')
  const other = await addChat(botId, 77)
  await server.db`update telegram_sends set next_part = 2 where message_id = ${id}`
  await insertSend(server.db, server.acme.id, id, { chat_id: other, topic_id: 3 }, null)
  const find = async () =>
    (
      await server.db`select chat_id, topic_id::int as topic_id, next_part from telegram_sends where message_id = ${id}`
    )[0]
  assert.deepEqual({ ...(await find()) }, { chat_id: other, topic_id: 3, next_part: 0 })
  await server.db`update telegram_sends set next_part = 2 where message_id = ${id}`
  await insertSend(server.db, server.acme.id, id, { chat_id: other, topic_id: 3 }, null)
  assert.equal((await find())!.next_part, 2)
})

test('all chats of a bot wait after too many messages, and while the server is unreachable', async t => {
  const { standIn, bot, reply, id: botId } = await openConversation(t, server)
  const isHeld = async () =>
    (await server.db`select from telegram_bot_rates where bot_id = ${botId} and send_after > now()`).length >
    0
  standIn.world.findFault = ({ method }) => (method === 'sendMessage' ? refusals.flood(30) : undefined)
  sendMessages(t, server, { pauses: [30_000] })
  await reply('Hello')
  await until(() => bot.calls.some(({ code }) => code === 429))
  await until(isHeld)
  // The chat is held after the bot, in a separate transaction.
  await until(
    async () =>
      (await server.db`select from telegram_chats where bot_id = ${botId} and send_after > now()`).length > 0,
  )
  await server.db`update telegram_bot_rates set send_after = null where bot_id = ${botId}`
  await server.db`update telegram_bots set api_root = 'http://127.0.0.1:9' where id = ${botId}`
  await server.db`update telegram_chats set send_after = null where bot_id = ${botId}`
  await reply('Hello again')
  await until(isHeld)
})

test('a chat waits at most 15 minutes for the next attempt', () => {
  assert.ok(Math.max(...telegramPauses) <= 15 * 60_000)
})

test("a server's reason for a refusal is shortened and can be stored", () => {
  const refusalOf = (description: unknown) =>
    new BotApiRefusal({ ok: false, error_code: 400, description: description as string }).message
  assert.equal(refusalOf(`a\0b\ud83d${'c'.repeat(1_000)}`), `ab\ufffd${'c'.repeat(297)}`)
  assert.equal(refusalOf({}), '[object Object]')
})
