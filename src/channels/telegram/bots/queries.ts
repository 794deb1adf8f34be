import type { Fragment, Sql } from '../../../core/db/db.ts'
import {
  type AccountSource,
  findAccountRow,
  listAccounts,
  lockAccountRow,
} from '../../accounts/account-queries.ts'
import type { BotChange, ConnectedBot, TelegramBotRow } from './bot.ts'

/** Bots and their owners. */

const columns = (sql: Sql): Fragment =>
  sql`id, telegram_id::float8 as telegram_id, username, name, picture is not null as has_picture, api_root, receiving, department_id,
    takes_groups, sends_away, asks_phone, asks_rating, texts, state, last_ok_at, last_error, backoff_until, missed, version, created_at`

export const connectedColumns = (sql: Sql): Fragment =>
  sql`project_id, token, failures, next_update_id::float8 as next_update_id,
    coalesce(last_update_at > now() - interval '3 days', false) as is_in_sequence, ${columns(sql)}`

const failedUpdates = (sql: Sql, projectId: string): Fragment =>
  sql`(select jsonb_build_object('count', count(*), 'since', to_char(min(u.created_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
      'last_error', (array_agg(u.last_error order by u.created_at desc))[1]) from telegram_updates u
    where u.project_id = ${projectId} and u.bot_id = telegram_bots.id and u.state = 'failed' having count(*) > 0) as failed_updates`

const shownBots: AccountSource = {
  name: 'telegram_bots',
  columns: (sql, projectId) => sql`${columns(sql)}, ${failedUpdates(sql, projectId)}`,
}

const connectedBots: AccountSource = { name: 'telegram_bots', columns: connectedColumns }

export const listBotRows = (sql: Sql, projectId: string) =>
  listAccounts<TelegramBotRow>(sql, shownBots, projectId)

export const findBotRow = (sql: Sql, projectId: string, id: string) =>
  findAccountRow<TelegramBotRow>(sql, shownBots, projectId, id)

export const findConnectedBot = (sql: Sql, projectId: string, id: string) =>
  findAccountRow<ConnectedBot>(sql, connectedBots, projectId, id)

export const lockBot = (sql: Sql, projectId: string, id: string) =>
  lockAccountRow<ConnectedBot>(sql, connectedBots, projectId, id)

export async function findBotPicture(sql: Sql, projectId: string, id: string): Promise<Buffer | null> {
  const [row] = await sql<{ picture: Buffer | null }[]>`
    select picture from telegram_bots where project_id = ${projectId} and id = ${id}`
  return row?.picture ?? null
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

/** A bot on a Bot API server; `api_root` is empty for Telegram's own. A project's own server can claim any id. */
export interface BotPlace {
  telegram_id: number
  api_root: string
}

/** Returns false if the bot already belongs to a project in the installation. */
export async function insertBotOwner(
  sql: Sql,
  projectId: string,
  id: string,
  { telegram_id, api_root }: BotPlace,
): Promise<boolean> {
  const { count } = await sql`
    insert into telegram_bot_owners (project_id, bot_id, api_root, telegram_id)
    values (${projectId}, ${id}, ${api_root}, ${telegram_id}) on conflict do nothing`
  return count > 0
}

export const deleteBotOwner = (sql: Sql, projectId: string, id: string) => sql`
  delete from telegram_bot_owners where project_id = ${projectId} and bot_id = ${id}`

type StoredChange = Omit<BotChange, 'token'> & Partial<BotIdentity> & { sealed?: Buffer }

/** Changes the given fields. Clears the backoff and the last error, so the new settings are tried immediately. */
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
    version = version + 1, failures = 0, backoff_until = null, failing_since = null, report_at = null,
    last_error = null
  where project_id = ${projectId} and id = ${id}`

export const updateBotState = (sql: Sql, projectId: string, id: string, state: 'active' | 'paused') => sql`
  update telegram_bots set state = ${state}, version = version + 1, failures = 0, backoff_until = null, failing_since = null,
    report_at = null, last_error = case when ${state} = 'active' then null else last_error end
  where project_id = ${projectId} and id = ${id}`

/** Greater than any update id. */
const numberSpace = 1e12

/** Another server numbers updates differently. Old ids become negative: they cannot hide new updates, and waiting updates keep their order. */
export async function updateBotServer(sql: Sql, projectId: string, id: string): Promise<void> {
  await sql`
    update telegram_bots set next_update_id = 0, last_update_at = null where project_id = ${projectId} and id = ${id}`
  await sql`
    delete from telegram_updates where project_id = ${projectId} and bot_id = ${id} and state = 'done'`
  await sql`
    update telegram_updates set update_id = update_id - ${numberSpace}::bigint where project_id = ${projectId} and bot_id = ${id}`
}

/** A bot that receives nothing until someone acts, or that has been failing for 15 minutes. */
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

/** Whether the bot belongs to a project in the installation. */
export async function hasBotOwner(sql: Sql, { api_root, telegram_id }: BotPlace): Promise<boolean> {
  const { count } = await sql`
    select from telegram_bot_owners where api_root = ${api_root} and telegram_id = ${telegram_id}`
  return count > 0
}
