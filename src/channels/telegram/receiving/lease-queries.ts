import type { Fragment, Sql } from '../../../core/db/db.ts'
import type { WaitingWork } from '../../../core/due/due-work.ts'
import { now, toDatabase } from '../../../core/time.ts'
import type { ConnectedBot, StoredBotFault } from '../bots/bot.ts'
import { connectedColumns } from '../bots/queries.ts'

/** The leases of bots: the process that holds one receives the bot's updates. */

/** Bots to receive and when they are due: immediately, or when their lease or backoff ends. */
export const waitingBots = (sql: Sql): Fragment =>
  sql`select b.project_id, b.id as subject_id, greatest(b.created_at, b.backoff_until, b.lease_until) as due_at from telegram_bots b
    join projects p on p.id = b.project_id and p.deleting_since is null
    where b.project_id is not null and b.state = 'active'`

export const nextBotDue: WaitingWork = sql =>
  sql`(select w.due_at from (${waitingBots(sql)}) w where w.project_id = h.project_id and w.subject_id = h.subject_id)`

/** Seconds. A process renews its leases several times within this period. */
const leaseSeconds = 30

const leaseEnd = (sql: Sql): Fragment => sql`now() + ${leaseSeconds}::int * interval '1 second'`

interface BotKey {
  project_id: string
  id: string
}

const given = (sql: Sql, keys: readonly BotKey[]): Fragment =>
  sql`unnest(${keys.map(one => one.project_id)}::uuid[], ${keys.map(one => one.id)}::uuid[]) as given (project_id, id)`

/** Claims bots that no process receives. */
export const lockDueBots = (sql: Sql, leaseId: string, due: readonly BotKey[]) => sql<ConnectedBot[]>`
  update telegram_bots set lease_id = ${leaseId}, lease_until = ${leaseEnd(sql)}
  where (project_id, id) in (
    select b.project_id, b.id from ${given(sql, due)}
      join telegram_bots b on b.project_id = given.project_id and b.id = given.id
      join projects p on p.id = b.project_id and p.deleting_since is null
    where b.state = 'active' and (b.lease_until is null or b.lease_until <= now())
      and (b.backoff_until is null or b.backoff_until <= now())
    order by b.project_id, b.id for no key update of b skip locked)
  returning ${connectedColumns(sql)}`

/** Extends a process's leases, and returns the bots that it still holds, with their versions. */
export const updateBotLeases = (sql: Sql, leaseId: string, held: readonly BotKey[]) => sql<
  { id: string; version: number }[]
>`
  update telegram_bots b set lease_until = ${leaseEnd(sql)} from ${given(sql, held)}
  where b.project_id = given.project_id and b.id = given.id and b.lease_id = ${leaseId} and b.state = 'active'
  returning b.id, b.version`

export const listLeasedBots = (sql: Sql, leaseId: string, held: readonly BotKey[]) => sql<
  { id: string; version: number }[]
>`
  select b.id, b.version from telegram_bots b join ${given(sql, held)} on b.project_id = given.project_id and b.id = given.id
  where b.lease_id = ${leaseId} and b.state = 'active'`

export const updateBotLeaseEnded = (sql: Sql, leaseId: string, { project_id, id }: BotKey) => sql`
  update telegram_bots set lease_id = null, lease_until = null
  where project_id = ${project_id} and id = ${id} and lease_id = ${leaseId}`

/**
 * Written at most once a minute, because it only shows that receiving works. After more than 24 hours without it, Telegram may have
 * deleted updates.
 */
export const updateBotOk = (sql: Sql, { project_id, id }: BotKey, at = toDatabase(now())) => sql`
  update telegram_bots set last_ok_at = now(), last_error = null, failures = 0, backoff_until = null, failing_since = null,
    missed = case when last_ok_at < ${at}::timestamptz - interval '24 hours' then jsonb_build_object(
        'from', to_char(last_ok_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
        'until', to_char((${at}::timestamptz - interval '24 hours') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'))
      else missed end
  where project_id = ${project_id} and id = ${id} and state = 'active'
    and (last_ok_at is null or last_ok_at < now() - interval '55 seconds' or failures > 0 or last_error is not null)`

interface FailedReceiving {
  /** The version of the settings that failed. */
  version: number
  fault: Omit<StoredBotFault, 'at'>
  waitMs: number
  isBroken: boolean
}

/** Has no effect if the settings have changed since: they are tried at once. */
export const updateBotFailed = (
  sql: Sql,
  { project_id, id }: BotKey,
  { version, fault, waitMs, isBroken }: FailedReceiving,
) => sql`
  update telegram_bots set failures = failures + 1, backoff_until = now() + ${waitMs}::float8 * interval '1 ms',
    state = case when ${isBroken} then 'broken' else state end, failing_since = least(failing_since, now()),
    last_error = ${sql.json(fault)} || jsonb_build_object('at',
      to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'))
  where project_id = ${project_id} and id = ${id} and state = 'active' and version = ${version}`
