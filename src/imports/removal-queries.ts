import { anyId, type Sql } from '../core/db/db.ts'
import type { WaitingWork } from '../core/due/due-work.ts'
import type { LockedImport } from './queries.ts'
import type { ImportKind } from './schema.ts'

/**
 * Statements that remove an import. Where they look for records by their ids, they compare the source with `is not distinct from`, which no
 * index supports: as long as the table has no statistics, the planner would otherwise read all records of the import for each id.
 */

export const waitingRemovals: WaitingWork = sql =>
  sql`select project_id, removal_started_at as due_at from imports where state = 'removing'`

/** Returns false if there is no such import. A removal in progress starts again, with the new `isForced`. */
export async function updateRemoving(
  sql: Sql,
  projectId: string,
  source: string,
  isForced: boolean,
): Promise<boolean> {
  const { count } = await sql`
    update imports set state = 'removing', is_forced = ${isForced}, removal_step = 'tickets', removed_until = '', kept = 0,
      removal_started_at = now(), removal_finished_at = null
    where project_id = ${projectId} and source = ${source}`
  return count > 0
}

/** The name of an import that is being removed. */
export async function findRemoving(sql: Sql, projectId: string): Promise<string | null> {
  const [row] = await sql<{ source: string }[]>`
    select source from imports where project_id = ${projectId} and state = 'removing'
    order by removal_started_at, source limit 1`
  return row?.source ?? null
}

export interface RecordToRemove {
  source_id: string
  id: string
}

/** Records of a kind, ordered by source_id. */
export const listRecordsAfter = (
  sql: Sql,
  projectId: string,
  { source, kind, after }: { source: string; kind: ImportKind; after: string },
  limit: number,
) => sql<RecordToRemove[]>`
  select source_id, record_id as id from imported_records
  where project_id = ${projectId} and source = ${source} and kind = ${kind} and source_id > ${after}
  order by source_id limit ${limit}`

/** The tickets of the import, with the number of their messages. */
export const listTicketsAfter = (
  sql: Sql,
  projectId: string,
  { source, after }: { source: string; after: string },
  limit: number,
) => sql<(RecordToRemove & { messages_count: number })[]>`
  select r.source_id, r.record_id as id, coalesce(a.messages_count, 0) as messages_count from imported_records r
  left join ticket_activity a on a.project_id = ${projectId} and a.ticket_id = r.record_id
  where r.project_id = ${projectId} and r.source = ${source} and r.kind = 'ticket' and r.source_id > ${after}
  order by r.source_id limit ${limit}`

/** Messages of the import in tickets that are not from the import, because the messages were moved or their tickets merged. */
export const listMovedMessages = (sql: Sql, projectId: string, source: string, limit: number) => sql<
  { id: string; ticket_id: string }[]
>`
  select m.id, m.ticket_id from imported_records r
  join messages m on m.project_id = ${projectId} and m.id = r.record_id
  where r.project_id = ${projectId} and r.source = ${source} and r.kind = 'message'
    and not exists (select from imported_records t where t.project_id = ${projectId} and t.record_id = m.ticket_id
      and t.source is not distinct from ${source} and t.kind is not distinct from 'ticket')
  limit ${limit}`

/** Locks the tickets in the order of their ids, as everywhere. Until the commit, nobody can add messages to them. */
export const lockTicketsToRemove = (sql: Sql, projectId: string, ids: string[]) => sql`
  select from tickets where project_id = ${projectId} and id = ${anyId(sql, ids)} order by id for update`

/** Returns the tickets with messages that are not from the import. System messages do not count. */
export async function listContinuedTickets(
  sql: Sql,
  projectId: string,
  source: string,
  ids: string[],
): Promise<Set<string>> {
  const rows = await sql<{ ticket_id: string }[]>`
    select distinct m.ticket_id from messages m
    where m.project_id = ${projectId} and m.ticket_id = ${anyId(sql, ids)} and m.sender_type <> 'system'
      and not exists (select from imported_records r where r.project_id = ${projectId} and r.record_id = m.id
        and r.source is not distinct from ${source} and r.kind is not distinct from 'message')`
  return new Set(rows.map(row => row.ticket_id))
}

export async function listMessageIds(
  sql: Sql,
  projectId: string,
  ticketIds: string[],
  limit: number,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from messages where project_id = ${projectId} and ticket_id = ${anyId(sql, ticketIds)} limit ${limit}`
  return rows.map(({ id }) => id)
}

/** Deletes the files of messages; a trigger records their objects in `stray_objects`. Returns the ids of the files. */
export async function deleteMediaOf(sql: Sql, projectId: string, messageIds: string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    delete from media where project_id = ${projectId} and message_id = ${anyId(sql, messageIds)} returning id`
  return rows.map(({ id }) => id)
}

/** Clears the reference in messages of other tickets that answer these. */
export const updateReplies = (sql: Sql, projectId: string, messageIds: string[]) => sql`
  update messages set reply_to_id = null
  where project_id = ${projectId} and reply_to_id = ${anyId(sql, messageIds)} and id <> all((select ${messageIds}::uuid[])::uuid[])`

export const deleteMessages = (sql: Sql, projectId: string, ids: string[]) => sql`
  delete from messages where project_id = ${projectId} and id = ${anyId(sql, ids)}`

/** Clears the reference in other tickets that follow these up or were merged into them. */
export const updateLinkedTickets = (sql: Sql, projectId: string, ids: string[]) => sql`
  update tickets set
    follow_up_of_id = case when follow_up_of_id = ${anyId(sql, ids)} then null else follow_up_of_id end,
    merged_into_id = case when merged_into_id = ${anyId(sql, ids)} then null else merged_into_id end
  where project_id = ${projectId} and (follow_up_of_id = ${anyId(sql, ids)} or merged_into_id = ${anyId(sql, ids)})
    and id <> all((select ${ids}::uuid[])::uuid[])`

export const deleteTickets = (sql: Sql, projectId: string, ids: string[]) => sql`
  delete from tickets where project_id = ${projectId} and id = ${anyId(sql, ids)}`

/** Returns how many records of each kind were deleted. */
export async function deleteRecordsOf(sql: Sql, projectId: string, source: string, ids: string[]) {
  const rows = await sql<{ kind: ImportKind }[]>`
    delete from imported_records
    where project_id = ${projectId} and source is not distinct from ${source} and record_id = ${anyId(sql, ids)}
    returning kind`
  return (kind: ImportKind): number => rows.filter(row => row.kind === kind).length
}

/** Deletes the files that are in no message and not for articles, which stay. Returns their ids. */
export async function deleteLooseMedia(sql: Sql, projectId: string, ids: string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    delete from media where project_id = ${projectId} and id = ${anyId(sql, ids)} and message_id is null and not is_article_picture
    returning id`
  return rows.map(({ id }) => id)
}

/** Contacts that the import created, and that nothing outside the import uses. */
export async function listUnusedContacts(
  sql: Sql,
  projectId: string,
  { source, isMerged }: { source: string; isMerged: boolean },
  ids: string[],
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select c.id from contacts c
    where c.project_id = ${projectId} and c.id = ${anyId(sql, ids)} and (c.merged_into_id is not null) = ${isMerged}
      and exists (select from imported_records r where r.project_id = ${projectId} and r.record_id = c.id
        and r.source is not distinct from ${source} and r.is_made)
      and not exists (select from imported_records r where r.project_id = ${projectId} and r.record_id = c.id
        and r.source <> ${source})
      and not exists (select from tickets t where t.project_id = ${projectId} and t.contact_id = c.id)
      and not exists (select from visitors v where v.project_id = ${projectId} and v.contact_id = c.id)
      and not exists (select from telegram_chats h where h.project_id = ${projectId} and h.contact_id = c.id)
      and not exists (select from contacts m where m.project_id = ${projectId} and m.merged_into_id = c.id)
      and (c.merged_into_id is null or exists (select from imported_records r where r.project_id = ${projectId}
        and r.record_id = c.merged_into_id and r.source is not distinct from ${source} and r.is_made))
    order by c.id`
  return rows.map(({ id }) => id)
}

export const lockIdentitiesToRemove = (sql: Sql, projectId: string, contactIds: string[]) => sql`
  select from contact_identities where project_id = ${projectId} and contact_id = ${anyId(sql, contactIds)}
  order by type, value for update`

export const lockContactsToRemove = (sql: Sql, projectId: string, ids: string[]) => sql`
  select from contacts where project_id = ${projectId} and id = ${anyId(sql, ids)} order by id for update`

export const deleteContacts = (sql: Sql, projectId: string, ids: string[]) => sql`
  delete from contacts where project_id = ${projectId} and id = ${anyId(sql, ids)}`

export const updateRemovalStep = (
  sql: Sql,
  projectId: string,
  source: string,
  { step, until, kept }: { step: LockedImport['removal_step']; until: string; kept: number },
) => sql`
  update imports set removal_step = ${step}, removed_until = ${until}, kept = kept + ${kept}::int
  where project_id = ${projectId} and source = ${source}`

/** Ends a removal that kept tickets. */
export const updateRemoved = (sql: Sql, projectId: string, source: string) => sql`
  update imports set state = 'open', removal_finished_at = now() where project_id = ${projectId} and source = ${source}`
