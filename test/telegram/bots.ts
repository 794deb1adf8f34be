import assert from 'node:assert/strict'
import { createBotApis } from '../../src/channels/telegram/bot-api/bot-apis.ts'
import type { NewBot } from '../../src/channels/telegram/bots/bot.ts'
import { createBot } from '../../src/channels/telegram/bots/bots.ts'
import { sealToken } from '../../src/channels/telegram/bots/secrets.ts'
import { startReceiving } from '../../src/channels/telegram/receiving/receiver.ts'
import { newId } from '../../src/core/ids.ts'
import type { Member } from '../cast.ts'
import type { TestServer } from '../server.ts'
import { until } from '../until.ts'
import { type StandIn, startStandIn } from './stand-in.ts'
import type { Bot } from './world.ts'

/** Bots of projects at a stand-in. */

interface Cleaner {
  after(run: () => unknown): void
}

export async function openStandIn(context: Cleaner): Promise<StandIn> {
  const standIn = await startStandIn()
  context.after(() => standIn.close())
  return standIn
}

/** Adds a bot to Acme. */
export async function addOwnBot(
  server: TestServer,
  standIn: StandIn,
  bot: Bot,
  fields: Partial<NewBot> = {},
  member: Member = server.acme,
) {
  const { config, vault, db } = server
  const apis = createBotApis({ config })
  const caller = { project: { id: member.id }, actor: { type: 'cli' as const } }
  const made = await createBot({ config, vault, db, apis }, caller, {
    token: bot.token,
    api_root: standIn.url,
    ...fields,
  })
  apis.close()
  return made
}

/** A bot at a server that does not answer. Returns its id. */
export async function insertBot(
  { db, vault }: TestServer,
  member: Member,
  username: string,
): Promise<string> {
  const id = newId()
  const telegramId = Math.floor(Math.random() * 1e12)
  const token = sealToken(vault, member.id, id, `${telegramId}:${'A'.repeat(35)}`)
  await db`
    insert into telegram_bots (project_id, id, telegram_id, username, name, token, api_root)
    values (${member.id}, ${id}, ${telegramId}, ${username}, ${username}, ${token}, 'http://127.0.0.1:9')`
  await db`insert into telegram_bot_owners values (${member.id}, ${telegramId}, ${id})`
  await db`insert into telegram_bot_rates (project_id, bot_id) values (${member.id}, ${id})`
  return id
}

/** Receives updates until the test has ended, as a process with the role `channels` does. */
export function receiveUpdates(
  context: Cleaner,
  { config, db, vault, log }: TestServer,
  times: { checkMs?: number } = {},
): { stop(): Promise<void> } {
  const apis = createBotApis({ config })
  const receiving = startReceiving({ config, db, vault, log, apis, tickMs: 20, checkMs: 50, ...times })
  const stop = async () => {
    await receiving.stop()
    apis.close()
  }
  context.after(stop)
  return { stop }
}

/** Waits until so many updates of a bot are stored, and returns them in order. */
export async function waitForUpdates(server: TestServer, botId: string, count: number) {
  const list = () => server.db<{ update_id: number; content: { message?: { text?: string } } }[]>`
    select update_id::float8 as update_id, content from telegram_updates
    where project_id = ${server.acme.id} and bot_id = ${botId} order by update_id`
  await until(async () => (await list()).length >= count)
  const rows = await list()
  assert.equal(rows.length, count)
  return rows
}

export const textsOf = (rows: { content: { message?: { text?: string } } }[]): (string | undefined)[] =>
  rows.map(({ content }) => content.message?.text)
