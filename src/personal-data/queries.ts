import { anyId, type Fragment, type Sql } from '../core/db/db.ts'
import type { WaitingWork } from '../core/due/due-work.ts'
import type { DataDeletion, DeletionPreview } from './schema.ts'

export interface Deletable {
  kind: DataDeletion['kind']
  record_id: string
}

/** A deletion and where its next transaction begins. */
export interface LockedDeletion extends Deletable {
  id: string
  step: string
  place: string
}

export interface DeletedCounts {
  tickets: number
  messages: number
  files: number
  mails: number
}

const columns = (sql: Sql): Fragment => sql`
  id, kind, record_id, state, tickets, messages, files, mails, messages_total, created_at, finished_at`

export const waitingDataDeletions: WaitingWork = sql =>
  sql`select project_id, created_at as due_at from data_deletions where state = 'running'`

/** Inserts nothing if the record is being deleted already. */
export const insertDataDeletion = (
  sql: Sql,
  projectId: string,
  { id, kind, record_id, messages_total }: Deletable & { id: string; messages_total: number },
) => sql`
  insert into data_deletions (project_id, id, kind, record_id, messages_total)
  values (${projectId}, ${id}, ${kind}, ${record_id}, ${messages_total}) on conflict do nothing`

export async function findDeletionOf(
  sql: Sql,
  projectId: string,
  { kind, record_id }: Deletable,
): Promise<DataDeletion | null> {
  const [row] = await sql<DataDeletion[]>`
    select ${columns(sql)} from data_deletions
    where project_id = ${projectId} and kind = ${kind} and record_id = ${record_id}`
  return row ?? null
}

export async function findDataDeletion(
  sql: Sql,
  projectId: string,
  id: string,
): Promise<DataDeletion | null> {
  const [row] = await sql<DataDeletion[]>`
    select ${columns(sql)} from data_deletions where project_id = ${projectId} and id = ${id}`
  return row ?? null
}

export const listDataDeletions = (sql: Sql, projectId: string, after: string, limit: number) => sql<
  DataDeletion[]
>`
  select ${columns(sql)} from data_deletions where project_id = ${projectId} and id > ${after} order by id limit ${limit}`

export async function findRunningDeletion(sql: Sql, projectId: string): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from data_deletions where project_id = ${projectId} and state = 'running' order by created_at, id limit 1`
  return row?.id ?? null
}

/** Null if another process has finished it. */
export async function lockDeletion(sql: Sql, projectId: string, id: string): Promise<LockedDeletion | null> {
  const [row] = await sql<LockedDeletion[]>`
    select id, kind, record_id, step, place from data_deletions
    where project_id = ${projectId} and id = ${id} and state = 'running' for no key update`
  return row ?? null
}

export const updateDeletionPlace = (
  sql: Sql,
  projectId: string,
  id: string,
  { step, place, counts }: { step: string; place: string; counts: DeletedCounts },
) => sql`
  update data_deletions set step = ${step}, place = ${place}, tickets = tickets + ${counts.tickets}::int,
    messages = messages + ${counts.messages}::int, files = files + ${counts.files}::int,
    mails = mails + ${counts.mails}::int
  where project_id = ${projectId} and id = ${id}`

export const updateDeletionDone = (sql: Sql, projectId: string, id: string) => sql`
  update data_deletions set state = 'done', finished_at = now() where project_id = ${projectId} and id = ${id}`

export const insertDeletedRecords = (sql: Sql, projectId: string, deletionId: string, ids: string[]) => sql`
  insert into deleted_records (project_id, deletion_id, record_id)
  select ${projectId}, ${deletionId}, id from unnest(${ids}::uuid[]) as d (id) on conflict do nothing`

/** Returns those of the ids that the deletion has deleted. */
export async function listDeletedAmong(
  sql: Sql,
  projectId: string,
  deletionId: string,
  ids: string[],
): Promise<Set<string>> {
  const rows = await sql<{ record_id: string }[]>`
    select record_id from deleted_records
    where project_id = ${projectId} and deletion_id = ${deletionId} and record_id = ${anyId(sql, ids)}`
  return new Set(rows.map(row => row.record_id))
}

/** Deletes up to `limit` of the ids that a finished deletion has kept. Returns how many there were. */
export async function deleteDeletedRecords(
  sql: Sql,
  projectId: string,
  deletionId: string,
  limit: number,
): Promise<number> {
  const { count } = await sql`
    delete from deleted_records where project_id = ${projectId} and deletion_id = ${deletionId} and record_id = any(array(
      select record_id from deleted_records where project_id = ${projectId} and deletion_id = ${deletionId} limit ${limit}))`
  return count
}

/** The contact, and those that were merged into it. */
export async function listContactIds(sql: Sql, projectId: string, id: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from contacts where project_id = ${projectId} and (id = ${id} or merged_into_id = ${id}) order by id`
  return rows.map(row => row.id)
}

/** A ticket, those that were merged into it, those that were merged into these, and so on. */
export const mergedTickets = (sql: Sql, projectId: string, ticketIds: string[]): Fragment =>
  sql`
  with recursive merged as (
    select id, 0 as depth from tickets where project_id = ${projectId} and id = ${anyId(sql, ticketIds)}
    union all
    select t.id, m.depth + 1 from merged m join tickets t on t.project_id = ${projectId} and t.merged_into_id = m.id
  )`

const owned = (sql: Sql, projectId: string, contactIds: string[], ticketIds: string[]): Fragment =>
  sql`
  select t.id from tickets t where t.project_id = ${projectId} and t.contact_id = ${anyId(sql, contactIds)}
  union (${mergedTickets(sql, projectId, ticketIds)} select id from merged)`

/** What a deletion would delete. Files are looked up by each message, because the planner cannot know how many messages there are. */
export async function countDeletable(
  sql: Sql,
  projectId: string,
  contactIds: string[],
  ticketIds: string[],
): Promise<DeletionPreview> {
  const [row] = await sql<DeletionPreview[]>`
    with owned as materialized (${owned(sql, projectId, contactIds, ticketIds)}), written as materialized (
      select m.id from messages m where m.project_id = ${projectId} and m.ticket_id in (select id from owned))
    select (select count(*)::int from owned) as tickets, (select count(*)::int from written) as messages,
      (select coalesce(sum((select count(*) from media f
        where f.project_id = ${projectId} and f.message_id = w.id)), 0)::int from written w) as files,
      (select coalesce(sum((select count(*) from incoming_mails i
        where i.project_id = ${projectId} and i.message_id = w.id)), 0)::int from written w) as mails,
      (select count(*)::int from exports e where e.project_id = ${projectId} and e.status = 'done') as exports`
  return row!
}

export const lockDeletable = (sql: Sql, projectId: string, ticketId: string) => sql`
  select from tickets where project_id = ${projectId} and id = ${ticketId} for no key update`
