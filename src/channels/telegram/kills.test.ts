import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { startServer, type TestServer } from '../../../test/server.ts'
import { addOwnBot, openStandIn } from '../../../test/telegram/bots.ts'
import { makePerson, Participant } from '../../../test/telegram/people.ts'
import { refusals } from '../../../test/telegram/refusals.ts'
import { until } from '../../../test/until.ts'
import { root } from '../../core/config/config.ts'
import { createVault } from '../../core/crypto.ts'

/** A process that is killed repeatedly loses no messages and marks every message that it repeats. */

const key = 'ab'.repeat(32)

let server: TestServer

before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

interface Written {
  content: string
  chat_id: number
}

/** Starts the process, and restarts it whenever it is killed. */
function keepRunning(t: TestContext) {
  const { target, config } = server
  const given = JSON.stringify({ target, dataDir: config.dataDir, key })
  let child: ChildProcess
  const start = () => {
    child = spawn(process.execPath, [join(root, 'test/telegram/channel-process.ts'), given], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    child.once('exit', (_code, signal) => {
      if (signal === 'SIGKILL') start()
    })
  }
  const state = {
    kills: 0,
    kill() {
      state.kills++
      child.kill('SIGKILL')
    },
  }
  start()
  t.after(() => child.kill('SIGTERM'))
  return state
}

async function setUp(t: TestContext) {
  const standIn = await openStandIn(t)
  const bot = standIn.addBot()
  const { id } = await addOwnBot({ ...server, vault: createVault(Buffer.from(key, 'hex')) }, standIn, bot)
  const people = Array.from({ length: 8 }, () => new Participant(standIn.world, bot, makePerson()))
  const running = keepRunning(t)
  let polls = 0
  let sent = 0
  standIn.world.findFault = ({ method }) => {
    if (method === 'getUpdates' && ++polls === 2) running.kill()
    if (method !== 'sendMessage') return undefined
    sent++
    if (sent % 9 === 5) return refusals.flood(1)
    if ([3, 16].includes(sent)) running.kill()
    return sent % 11 === 7 ? 'cut_after' : undefined
  }
  return { id, people, running }
}

const listWritten = (botId: string) => server.db<Written[]>`
  select m.content, c.chat_id::float8 as chat_id from telegram_messages t
    join messages m on m.project_id = ${server.acme.id} and m.id = t.message_id
    join telegram_chats c on c.project_id = ${server.acme.id} and c.id = t.chat_id
  where t.project_id = ${server.acme.id} and c.bot_id = ${botId} and t.part is null order by m.created_at, m.id`

test('each message arrives once and in order even if the process is killed, and only marked replies arrive twice', async t => {
  const { id, people, running } = await setUp(t)
  for (let count = 0; count < 12; count++) for (const one of people) one.say(`${count}`)
  const written = await until(async () => {
    const rows = await listWritten(id)
    return rows.length >= 96 && rows
  }, 140)
  const all = Array.from({ length: 12 }, (_, count) => `${count}`)
  for (const { chat } of people)
    assert.deepEqual(
      written.filter(({ chat_id }) => chat_id === chat.id).map(({ content }) => content),
      all,
    )
  const replies = await replyToAll(id, 3)
  const sent = await until(async () => {
    const rows = await findReplies(replies)
    return rows.every(({ delivery_status }) => delivery_status === 'sent') && rows
  }, 140)
  assert.ok(running.kills > 2)
  for (const { content, delivery_error } of sent) {
    const count = people.flatMap(one => one.received).filter(({ text }) => text === content).length
    if (delivery_error === null) assert.equal(count, 1, content)
    else assert.ok(count <= 2, `${content} ${delivery_error} ${count}`)
  }
  for (const one of people) {
    const order = [...new Set(one.received.map(({ text }) => text))]
    assert.deepEqual(order, order.toSorted())
  }
})

async function replyToAll(botId: string, count: number): Promise<string[]> {
  const tickets = await server.db<{ ticket_id: string }[]>`
    select distinct m.ticket_id from telegram_messages t join messages m on m.id = t.message_id
      join telegram_chats c on c.id = t.chat_id where c.bot_id = ${botId}`
  const ids: string[] = []
  for (const { ticket_id } of tickets)
    for (let at = 0; at < count; at++) {
      const content = `${ticket_id} ${at}`
      const { body } = await server.api.post(`/tickets/${ticket_id}/messages`, { content })
      ids.push(body.id)
    }
  return ids
}

const findReplies = (ids: string[]) =>
  server.db<
    { content: string; delivery_status: string; delivery_error: string | null }[]
  >`select content, delivery_status, delivery_error from messages where id = any(${ids}::uuid[])`
