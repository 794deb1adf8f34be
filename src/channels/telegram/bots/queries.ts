import type { Fragment, Sql } from '../../../core/db/db.ts'
import type { BotChange, ConnectedBot, TelegramBotRow } from './bot.ts'

/** Bots and their owners. */

const columns = (sql: Sql): Fragment =>
  sql`id, telegram_id::float8 as telegram_id, username, name, picture is not null as has_picture, api_root, receiving, department_id,
    takes_groups, sends_away, asks_phone, asks_rating, texts, state, last_ok_at, last_error, backoff_until, missed, version, created_at`

export const connectedColumns = (sql: Sql): Fragment =>
  sql`project_id, token, failures, next_update_id::float8 as next_update_id,
    coalesce(last_update_at > now() - interval '3 days', false) as is_in_sequence, ${columns(sql)}`

export const listBotRows = (sql: Sql, projectId: string) => sql<TelegramBotRow[]>`
  select ${columns(sql)} from telegram_bots where project_id = ${projectId} order by created_at, id`

export async function findBotRow(sql: Sql, projectId: string, id: string): Promise<TelegramBotRow | null> {
  const [row] = await sql<TelegramBotRow[]>`
    select ${columns(sql)} from telegram_bots where project_id = ${projectId} and id = ${id}`
  return row ?? null
}

export async function findConnectedBot(
  sql: Sql,
  projectId: string,
  id: string,
): Promise<ConnectedBot | null> {
  const [row] = await sql<ConnectedBot[]>`
    select ${connectedColumns(sql)} from telegram_bots where project_id = ${projectId} and id = ${id}`
  return row ?? null
}

export async function lockBot(sql: Sql, projectId: string, id: string): Promise<ConnectedBot | null> {
  const [row] = await sql<ConnectedBot[]>`
    select ${connectedColumns(sql)} from telegram_bots where project_id = ${projectId} and id = ${id} for no key update`
  return row ?? null
}

export async function findBotPicture(sql: Sql, projectId: string, id: string): Promise<Buffer | null> {
  const [row] = await sql<{ picture: Buffer | null }[]>`
    select picture from telegram_bots where project_id = ${projectId} and id = ${id}`
  return row?.picture ?? null
}

export async function countBots(sql: Sql, projectId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from telegram_bots where project_id = ${projectId}`
  return row!.count
}

/** What Telegram says about a bot. */
export interface BotIdentity {
  telegram_id: number
  username: string
  picture: Buffer | null
}

export const insertBot = (
  sql: Sql,
  projectId: string,
  id: string,
  { telegram_id, username, picture }: BotIdentity,
  { token, name, api_root }: { token: Buffer; name: string; api_root: string },
) => sql`
  insert into telegram_bots (project_id, id, telegram_id, username, picture, token, name, api_root)
  values (${projectId}, ${id}, ${telegram_id}, ${username}, ${picture}, ${token}, ${name}, ${api_root})`

export const insertBotRate = (sql: Sql, projectId: string, id: string) => sql`
  insert into telegram_bot_rates (project_id, bot_id) values (${projectId}, ${id})`

/** Returns false if the bot belongs to a project of the installation already. */
export async function insertBotOwner(
  sql: Sql,
  projectId: string,
  id: string,
  telegramId: number,
): Promise<boolean> {
  const { count } = await sql`
    insert into telegram_bot_owners (project_id, telegram_id, bot_id) values (${projectId}, ${telegramId}, ${id})
    on conflict do nothing`
  return count > 0
}

type StoredChange = Omit<BotChange, 'token'> & Partial<BotIdentity> & { sealed?: Buffer }

/** Changes the fields that are given. A change of settings ends the backoff and the problem, so that they are tried at once. */
export const updateBot = (sql: Sql, projectId: string, id: string, change: StoredChange) => sql`
  update telegram_bots set
    name = coalesce(${change.name ?? null}, name), receiving = coalesce(${change.receiving ?? null}, receiving),
    department_id = case when ${change.department_id !== undefined} then ${change.department_id ?? null}::uuid else department_id end,
    takes_groups = coalesce(${change.takes_groups ?? null}, takes_groups),
    sends_away = coalesce(${change.sends_away ?? null}, sends_away),
    asks_phone = coalesce(${change.asks_phone ?? null}, asks_phone),
    asks_rating = coalesce(${change.asks_rating ?? null}, asks_rating),
    texts = coalesce(${change.texts ? sql.json(change.texts) : null}, texts),
    api_root = coalesce(${change.api_root ?? null}, api_root), token = coalesce(${change.sealed ?? null}, token),
    username = coalesce(${change.username ?? null}, username),
    picture = case when ${change.picture !== undefined} then ${change.picture ?? null} else picture end,
    state = case when state = 'broken' then 'active' else state end,
    version = version + 1, failures = 0, backoff_until = null, failing_since = null, last_error = null
  where project_id = ${projectId} and id = ${id}`

export const updateBotState = (sql: Sql, projectId: string, id: string, state: 'active' | 'paused') => sql`
  update telegram_bots set state = ${state}, version = version + 1, failures = 0, backoff_until = null, failing_since = null,
    last_error = case when ${state} = 'active' then null else last_error end
  where project_id = ${projectId} and id = ${id}`

export const deleteBotRow = (sql: Sql, projectId: string, id: string) => sql`
  delete from telegram_bots where project_id = ${projectId} and id = ${id}`

/** Another server numbers its updates differently. Those of the old one that were handled must not hide them. */
export async function updateBotServer(sql: Sql, projectId: string, id: string): Promise<void> {
  await sql`
    update telegram_bots set next_update_id = 0, last_update_at = null where project_id = ${projectId} and id = ${id}`
  await sql`
    delete from telegram_updates where project_id = ${projectId} and bot_id = ${id} and state <> 'stored'`
}

/** Bots that receive nothing until somebody acts, or that could not be reached for 15 minutes. */
export interface BotOutage {
  bot_id: string
  username: string
  failing_since: string
}

export const listBotOutages = (sql: Sql, projectId: string) => sql<BotOutage[]>`
  select id as bot_id, username, coalesce(failing_since, created_at) as failing_since from telegram_bots
  where project_id = ${projectId}
    and (state = 'broken' or (state = 'active' and failing_since < now() - interval '15 minutes'))
  order by created_at, id`

/** Whether some project of the installation has the bot. */
export async function hasBotOwner(sql: Sql, telegramId: number): Promise<boolean> {
  const { count } = await sql`select from telegram_bot_owners where telegram_id = ${telegramId}`
  return count > 0
}
