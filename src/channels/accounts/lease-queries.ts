import type { Fragment, Sql } from '../../core/db/db.ts'
import { type DueKind, noteDueRows, type WaitingWork } from '../../core/due/due-work.ts'
import { now, toDatabase } from '../../core/time.ts'

/** Leases of accounts, such as mailboxes and bots. The process that holds an account's lease receives its messages. */

export interface AccountKey {
  project_id: string
  id: string
}

/**
 * A channel's accounts whose messages Deskbell fetches. Their table has the columns state, version, lease_id, lease_until, failures,
 * backoff_until, failing_since, report_at, last_ok_at and last_error.
 */
export interface AccountTable {
  name: string
  kind: DueKind
  /** The columns of an account that was claimed, including project_id, id and version. */
  columns(sql: Sql): Fragment
  /** Which accounts `a` are fetched; all by default. */
  condition?(sql: Sql): Fragment
}

/** An account that a process has claimed. */
export interface ClaimedAccount extends AccountKey {
  version: number
  failures: number
}

const isActive = (sql: Sql, { condition }: AccountTable): Fragment =>
  sql`a.state = 'active' and ${condition?.(sql) ?? sql`true`}`

/** Accounts to receive from, and when they are due: immediately, or when their lease or backoff ends. */
export const waitingAccountsOf =
  (table: AccountTable): WaitingWork =>
  sql =>
    sql`select a.project_id, a.id as subject_id, greatest(a.created_at, a.backoff_until, a.lease_until) as due_at
      from ${sql(table.name)} a join projects p on p.id = a.project_id and p.deleting_since is null
      where a.project_id is not null and ${isActive(sql, table)}`

export const nextAccountDue =
  (table: AccountTable): WaitingWork =>
  sql =>
    sql`(select w.due_at from (${waitingAccountsOf(table)(sql)}) w where w.project_id = h.project_id and w.subject_id = h.subject_id)`

/** Makes an account due immediately. Must be the last statement of a transaction, because it locks `due_work`. */
export const insertAccountDue = (sql: Sql, { kind }: AccountTable, { project_id, id }: AccountKey) =>
  noteDueRows(
    sql,
    kind,
    sql`select ${project_id}::uuid as project_id, ${id}::uuid as subject_id, now() as due_at`,
  )

/** Seconds. A process renews its leases several times within this period. */
const leaseSeconds = 30

const leaseEnd = (sql: Sql): Fragment => sql`now() + ${leaseSeconds}::int * interval '1 second'`

const given = (sql: Sql, keys: readonly AccountKey[]): Fragment =>
  sql`unnest(${keys.map(one => one.project_id)}::uuid[], ${keys.map(one => one.id)}::uuid[]) as given (project_id, id)`

/** Claims accounts that no process is receiving from. */
export const lockDueAccounts = <A extends ClaimedAccount>(
  sql: Sql,
  table: AccountTable,
  leaseId: string,
  due: readonly AccountKey[],
) => sql<A[]>`
  update ${sql(table.name)} set lease_id = ${leaseId}, lease_until = ${leaseEnd(sql)}
  where (project_id, id) in (
    select a.project_id, a.id from ${given(sql, due)}
      join ${sql(table.name)} a on a.project_id = given.project_id and a.id = given.id
      join projects p on p.id = a.project_id and p.deleting_since is null
    where ${isActive(sql, table)} and (a.lease_until is null or a.lease_until <= now())
      and (a.backoff_until is null or a.backoff_until <= now())
    order by a.project_id, a.id for no key update of a skip locked)
  returning ${table.columns(sql)}`

/** Extends a process's leases, and returns the accounts that it still holds, with their versions. */
export const updateAccountLeases = (
  sql: Sql,
  table: AccountTable,
  leaseId: string,
  held: readonly AccountKey[],
) => sql<{ id: string; version: number }[]>`
  update ${sql(table.name)} a set lease_until = ${leaseEnd(sql)} from ${given(sql, held)}
  where a.project_id = given.project_id and a.id = given.id and a.lease_id = ${leaseId} and ${isActive(sql, table)}
  returning a.id, a.version`

export const listLeasedAccounts = (
  sql: Sql,
  table: AccountTable,
  leaseId: string,
  held: readonly AccountKey[],
) => sql<{ id: string; version: number }[]>`
  select a.id, a.version from ${sql(table.name)} a
    join ${given(sql, held)} on a.project_id = given.project_id and a.id = given.id
  where a.lease_id = ${leaseId} and ${isActive(sql, table)}`

export const updateAccountLeaseEnded = (
  sql: Sql,
  { name }: AccountTable,
  leaseId: string,
  { project_id, id }: AccountKey,
) => sql`
  update ${sql(name)} set lease_id = null, lease_until = null
  where project_id = ${project_id} and id = ${id} and lease_id = ${leaseId}`

/** Written at most once a minute, because it only shows that receiving works. `more` sets further columns. */
export const updateAccountOk = (
  sql: Sql,
  { name }: AccountTable,
  { project_id, id }: AccountKey,
  more = sql``,
) => sql`
  update ${sql(name)} set last_ok_at = now(), last_error = null, failures = 0, backoff_until = null, failing_since = null,
    report_at = null ${more}
  where project_id = ${project_id} and id = ${id} and state = 'active'
    and (last_ok_at is null or last_ok_at < now() - interval '55 seconds' or failures > 0 or last_error is not null)`

export interface FailedReceiving {
  fault: { code: string; values: Record<string, string> }
  waitMs: number
  /** Whether the account receives nothing until someone fixes the problem. */
  isBroken: boolean
}

/** Has no effect if the settings have changed since `version`: the new ones are tried immediately. */
export const updateAccountFailed = (
  sql: Sql,
  { name }: AccountTable,
  { project_id, id, version }: AccountKey & { version: number },
  { fault, waitMs, isBroken }: FailedReceiving,
  at = toDatabase(now()),
) => sql`
  update ${sql(name)} set failures = failures + 1, backoff_until = now() + ${waitMs}::float8 * interval '1 ms',
    state = case when ${isBroken} then 'broken' else state end, failing_since = least(failing_since, now()),
    report_at = case when failing_since is null then ${at}::timestamptz + interval '15 minutes' else report_at end,
    last_error = ${sql.json(fault)} || jsonb_build_object('at',
      to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'))
  where project_id = ${project_id} and id = ${id} and state = 'active' and version = ${version}`
