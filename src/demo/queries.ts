import type { Sql } from '../core/db/db.ts'
import type { Tx } from '../events/transaction.ts'
import { type DemoState, type DemoTable, demoTables } from './demo-state.ts'

/** Locks the project against a concurrent demo. Returns whether it has no tickets. */
export async function isEmpty(tx: Tx): Promise<boolean> {
  await tx`select from projects where id = ${tx.projectId} for no key update`
  const [row] = await tx<{ is_empty: boolean }[]>`
    select not exists (select from tickets where project_id = ${tx.projectId}) as is_empty`
  return row!.is_empty
}

/** A demo is already set up, so it does not show the list of first steps. When its data is deleted, the project shows the list. */
export const updateFirstSteps = (tx: Tx, has_first_steps: boolean) =>
  tx`update projects set has_first_steps = ${has_first_steps} where id = ${tx.projectId}`

export async function hasActiveWebhook(tx: Tx): Promise<boolean> {
  const [row] = await tx<{ has: boolean }[]>`
    select exists (select from webhooks where project_id = ${tx.projectId} and is_active and deleted_at is null) as has`
  return row!.has
}

/** The audit entries that this transaction wrote. */
export async function listNotes(tx: Tx): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from audit_entries where project_id = ${tx.projectId} and created_at = now()`
  return rows.map(({ id }) => id)
}

export async function listTagIds(tx: Tx): Promise<Set<string>> {
  const rows = await tx<{ id: string }[]>`select id from tags where project_id = ${tx.projectId}`
  return new Set(rows.map(({ id }) => id))
}

/** Moves the times of rows that were just written to their times in the script. */
export async function updateStoryTimes(tx: Tx, clock: DemoState['clock']): Promise<void> {
  const [marks, ats] = [clock.map(({ mark }) => mark), clock.map(({ at }) => at)]
  await tx`create temp table demo_clock on commit drop as
    select mark, at, coalesce(lead(mark) over (order by mark), 'infinity') as until
    from unnest(${marks}::timestamptz[], ${ats}::timestamptz[]) as c (mark, at)`
  await tx`create unique index on demo_clock (mark)`
  await tx.unsafe(`create function pg_temp.told_at(t timestamptz) returns timestamptz language sql stable as $$
    select coalesce((select at + (t - mark) from demo_clock where mark <= t order by mark desc limit 1), t) $$`)
  await moveRows(tx)
}

async function moveRows(tx: Tx): Promise<void> {
  const id = tx.projectId
  await tx`
    update messages set created_at = pg_temp.told_at(created_at), delivery_updated_at = pg_temp.told_at(created_at)
    where project_id = ${id}`
  await tx`
    update message_reactions r set created_at = pg_temp.told_at(r.created_at) where r.project_id = ${id}`
  await tx`
    update tickets set created_at = pg_temp.told_at(created_at), closed_at = pg_temp.told_at(closed_at),
      rated_at = pg_temp.told_at(rated_at),
      resolution_secs = extract(epoch from pg_temp.told_at(closed_at) - pg_temp.told_at(created_at))::int
    where project_id = ${id}`
  await tx`
    update ticket_merges set merged_at = pg_temp.told_at(merged_at) where project_id = ${id}`
  await tx`
    update contacts set created_at = pg_temp.told_at(created_at), updated_at = pg_temp.told_at(created_at)
    where project_id = ${id} and created_at >= (select min(mark) from demo_clock)`
}

/** Called after the messages were recounted. */
export const updateActivityTimes = (tx: Tx) => tx`
  update ticket_activity a set created_at = t.created_at, closed_at = t.closed_at,
    updated_at = greatest(t.created_at, t.closed_at, t.rated_at, a.last_message_at)
  from tickets t where a.project_id = ${tx.projectId} and t.project_id = a.project_id and t.id = a.ticket_id`

/** Marks everything as read by these operators, except the last message of each unread ticket for the viewer. */
export const insertReads = (tx: Tx, operatorIds: string[], viewerId: string, unread: string[]) => tx`
  insert into ticket_reads as r (project_id, ticket_id, operator_id, last_read_message_at)
  select ${tx.projectId}, a.ticket_id, o.id, a.last_message_at - case
      when o.id = ${viewerId} and a.ticket_id = any(${unread}::uuid[]) then interval '1 second'
      else interval '0' end
  from ticket_activity a, unnest(${operatorIds}::uuid[]) as o (id)
  where a.project_id = ${tx.projectId} and a.last_message_at is not null
  on conflict (project_id, ticket_id, operator_id) do update set last_read_message_at = excluded.last_read_message_at`

export const updateMentionsRead = (tx: Tx, viewerId: string, unread: string[]) => tx`
  update mentions x set read_at = now() from messages m
  where x.project_id = ${tx.projectId} and m.project_id = x.project_id and m.id = x.message_id
    and not (x.operator_id = ${viewerId} and m.ticket_id = any(${unread}::uuid[]))`

export const insertDemoRecords = (tx: Tx, made: DemoState['made']) => tx`
  insert into demo_records (project_id, kind, record_id)
  select ${tx.projectId}, kind, id
  from unnest(${made.map(one => one.kind)}::text[], ${made.map(one => one.id)}::uuid[]) as m (kind, id)
  on conflict do nothing`

export async function deleteDemoRecords(tx: Tx): Promise<Map<DemoTable, string[]>> {
  const rows = await tx<{ kind: DemoTable; record_id: string }[]>`
    delete from demo_records where project_id = ${tx.projectId} returning kind, record_id`
  const of = (kind: DemoTable) => rows.filter(row => row.kind === kind).map(row => row.record_id)
  return new Map(demoTables.map(kind => [kind, of(kind)]))
}

export const findOldestProject = async (sql: Sql) => {
  const [row] = await sql<{ id: string; name: string }[]>`
    select id, name from projects order by created_at, id limit 1`
  return row ?? null
}
