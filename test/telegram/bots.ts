import assert from 'node:assert/strict'
import { createBotApis } from '../../src/channels/telegram/bot-api/bot-apis.ts'
import type { NewBot } from '../../src/channels/telegram/bots/bot.ts'
import { createBot } from '../../src/channels/telegram/bots/bots.ts'
import { sealToken } from '../../src/channels/telegram/bots/secrets.ts'
import { startHandlingUpdates } from '../../src/channels/telegram/incoming/handle.ts'
import { startReceiving } from '../../src/channels/telegram/receiving/receiver.ts'
import { newId } from '../../src/core/ids.ts'
import { createStorages } from '../../src/media/media.ts'
import type { Member } from '../cast.ts'
import type { TestServer } from '../server.ts'
import { until } from '../until.ts'
import { makePerson, Participant } from './people.ts'
import { type StandIn, startStandIn } from './stand-in.ts'
import type { Bot } from './world.ts'

/** Adds bots on a stand-in to projects, and receives and handles their updates. */

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

/** Inserts a bot whose server does not respond. Returns its id. */
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
  await db`
    insert into telegram_bot_owners (project_id, bot_id, api_root, telegram_id)
    values (${member.id}, ${id}, 'http://127.0.0.1:9', ${telegramId})`
  await db`insert into telegram_bot_rates (project_id, bot_id) values (${member.id}, ${id})`
  return id
}

/** Receives updates until the test ends, like a process with the role `channels`. */
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

/** Waits until `count` updates of a bot are stored, and returns them in order. */
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

/** Receives and handles updates until the test ends. */
export function handleUpdates(context: Cleaner, server: TestServer): { stop(): Promise<void> } {
  const { config, db, vault, log } = server
  const apis = createBotApis({ config })
  const storages = createStorages({ config, db, vault })
  const handling = startHandlingUpdates({ db, vault, log, storages, apis })
  const receiving = receiveUpdates(context, server)
  const stop = async () => {
    await receiving.stop()
    await handling.stop()
    apis.close()
  }
  context.after(stop)
  return { stop }
}

/** Adds a bot, handles its updates, and returns it with Ann, who can write to it. */
export async function openBot(t: Cleaner, server: TestServer, fields: Partial<NewBot> = {}) {
  const standIn = await openStandIn(t)
  const bot = standIn.addBot()
  const ann = new Participant(standIn.world, bot, makePerson({ username: 'annlee', last_name: 'Lee' }))
  const { id } = await addOwnBot(server, standIn, bot, fields)
  const handling = handleUpdates(t, server)
  t.after(() => server.db`delete from telegram_bots where id = ${id}`)
  const settled = () =>
    until(async () => {
      // Updates are confirmed after they are stored, so this must come first.
      if (bot.updates.length > 0) return false
      const rows =
        await server.db`select from telegram_updates where bot_id = ${id} and state = 'stored' limit 1`
      return rows.length === 0
    })
  return { standIn, bot, ann, id, handling, settled }
}

/** The messages in the tickets of a Telegram account's contact, oldest first. */
export async function listMessages({ db, acme }: TestServer, telegramId: number) {
  return db<{ id: string; ticket_id: string; content: string; sender_type: string; sender_name: string }[]>`
    select m.id, m.ticket_id, m.content, m.sender_type, m.sender_name from messages m
      join tickets t on t.project_id = m.project_id and t.id = m.ticket_id
      join contact_identities i on i.project_id = t.project_id and i.contact_id = t.contact_id
    where m.project_id = ${acme.id} and i.type = 'telegram' and i.value = ${String(telegramId)} and m.sender_type <> 'system'
    order by m.created_at, m.id`
}
