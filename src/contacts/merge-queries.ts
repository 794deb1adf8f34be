import { anyId, type Db, type Sql } from '../core/db/db.ts'
import { toDatabase } from '../core/time.ts'
import type { ChangedBy } from '../events/ticket-history.ts'
import type { Tx } from '../events/transaction.ts'
import type { Identity } from './identity-queries.ts'
import type { MergedFieldChanges } from './merge-choice.ts'
import type { UndoableMerge } from './merge-schema.ts'

/** Merges that can still be undone, and the tickets that they have moved. */

/** How long a merge can be undone. */
const undoTime = '7 days'

export interface MergeRecord {
  changes: MergedFieldChanges
  identities: (Identity & { is_primary: boolean })[]
  demoted: Identity[]
  chat_ids: string[]
  merged_before: string[]
  merged_by: ChangedBy
}

export type MergeRow = MergeRecord & {
  source_id: string
  target_id: string
  merged_at: string
  is_recent: boolean
}

export const insertContactMerge = (tx: Tx, sourceId: string, targetId: string, merge: MergeRecord) => tx`
  insert into contact_merges (project_id, source_id, target_id, changes, identities, demoted, chat_ids, merged_before,
    merged_by, merged_at)
  values (${tx.projectId}, ${sourceId}, ${targetId}, ${JSON.stringify(merge.changes)}::text::jsonb,
    ${JSON.stringify(merge.identities)}::text::jsonb, ${JSON.stringify(merge.demoted)}::text::jsonb,
    ${merge.chat_ids}::uuid[], ${merge.merged_before}::uuid[], ${JSON.stringify(merge.merged_by)}::text::jsonb, now())
  on conflict (project_id, source_id) do update set target_id = excluded.target_id, changes = excluded.changes,
    identities = excluded.identities, demoted = excluded.demoted, chat_ids = excluded.chat_ids,
    merged_before = excluded.merged_before, merged_by = excluded.merged_by, merged_at = excluded.merged_at`

/** Does nothing if the merge cannot be undone. */
export const insertMergeTickets = (tx: Tx, sourceId: string, ids: string[]) => tx`
  insert into contact_merge_tickets (project_id, source_id, ticket_id)
  select m.project_id, m.source_id, t.id from contact_merges m cross join unnest(${ids}::uuid[]) as t (id)
  where m.project_id = ${tx.projectId} and m.source_id = ${sourceId}
  on conflict do nothing`

export async function findContactMerge(
  sql: Sql,
  projectId: string,
  sourceId: string,
): Promise<MergeRow | null> {
  const [row] = await sql<MergeRow[]>`
    select source_id, target_id, changes, identities, demoted, chat_ids, merged_before, merged_by, merged_at,
      merged_at > now() - ${undoTime}::text::interval as is_recent
    from contact_merges where project_id = ${projectId} and source_id = ${sourceId}`
  return row ?? null
}

export const deleteContactMerge = (tx: Tx, sourceId: string) => tx`
  delete from contact_merges where project_id = ${tx.projectId} and source_id = ${sourceId}`

export const deleteOldContactMerges = async (db: Db): Promise<number> =>
  (
    await db`
    delete from contact_merges where (project_id, source_id) in (
      select project_id, source_id from contact_merges where merged_at < now() - ${undoTime}::text::interval
      order by merged_at limit 100)`
  ).count

/** Newest first. */
export const listContactMerges = (sql: Sql, projectId: string, targetId: string) => sql<UndoableMerge[]>`
  select jsonb_build_object('id', c.id, 'full_name', c.full_name, 'email', c.email, 'avatar_url', c.avatar_url,
      'is_blocked', c.blocked_at is not null) as contact, m.merged_at, m.merged_by,
    m.merged_at + ${undoTime}::text::interval as undo_until,
    (select count(*)::int from contact_merge_tickets t
      where t.project_id = ${projectId} and t.source_id = m.source_id) as tickets_count
  from contact_merges m join contacts c on c.project_id = ${projectId} and c.id = m.source_id
  where m.project_id = ${projectId} and m.target_id = ${targetId}
    and m.merged_at > now() - ${undoTime}::text::interval
  order by m.merged_at desc`

export async function findUndoEnd(sql: Sql): Promise<string> {
  const [row] = await sql<{ until: string }[]>`select now() + ${undoTime}::text::interval as until`
  return row!.until
}

/** Locks what is left of a merged contact. Returns false if it is not merged into that contact. */
export async function lockMergedContact(
  tx: Tx,
  projectId: string,
  id: string,
  into: string,
): Promise<boolean> {
  const { count } = await tx`
    select from contacts where project_id = ${projectId} and id = ${id} and merged_into_id = ${into} for no key update`
  return count > 0
}

/** The tickets of a merge that have gone to another contact since, by number. */
export const listTicketsGoneSince = (tx: Tx, { source_id, target_id }: MergeRow) => tx<{ number: string }[]>`
  select t.number::text as number from contact_merge_tickets m
  join tickets t on t.project_id = ${tx.projectId} and t.id = m.ticket_id
  where m.project_id = ${tx.projectId} and m.source_id = ${source_id} and t.contact_id not in (${source_id}, ${target_id})
  order by t.number limit 100`

/** Puts the tickets of a merge into the queue of tickets that go to another contact. */
export const insertTicketsBack = (tx: Tx, by: ChangedBy, { source_id, target_id, merged_at }: MergeRow) => tx`
  insert into contact_ticket_moves (project_id, ticket_id, from_id, to_id, cause, written_after, moved_by)
  select m.project_id, m.ticket_id, ${target_id}, ${source_id}, 'contact_unmerged', ${toDatabase(merged_at)}::timestamptz,
    ${JSON.stringify(by)}::text::jsonb
  from contact_merge_tickets m
  join tickets t on t.project_id = ${tx.projectId} and t.id = m.ticket_id and t.contact_id = ${target_id}
  where m.project_id = ${tx.projectId} and m.source_id = ${source_id}
  on conflict (project_id, ticket_id) do update set from_id = excluded.from_id, to_id = excluded.to_id,
    cause = excluded.cause, written_after = excluded.written_after, moved_by = excluded.moved_by`

export const updateTelegramChatsBack = (tx: Tx, { source_id, target_id, chat_ids }: MergeRow) => tx`
  update telegram_chats set contact_id = ${source_id}
  where project_id = ${tx.projectId} and contact_id = ${target_id} and id = ${anyId(tx, chat_ids)}`

/** Contacts that had been merged into the source before resolve to it again. */
export async function updateMergedBack(tx: Tx, merge: MergeRow): Promise<void> {
  const rows = await tx<{ id: string }[]>`
    update contacts set merged_into_id = ${merge.source_id}, version = version + 1
    where project_id = ${tx.projectId} and merged_into_id = ${merge.target_id} and id = ${anyId(tx, merge.merged_before)}
    returning id`
  tx.touch('contact', ...rows.map(({ id }) => id))
}

/** Those of the contacts that are being deleted with all their data. Their rows must be locked. */
export async function listContactsInDeletion(sql: Sql, projectId: string, ids: string[]): Promise<string[]> {
  const rows = await sql<{ record_id: string }[]>`
    select record_id from data_deletions
    where project_id = ${projectId} and kind = 'contact' and state = 'running' and record_id = ${anyId(sql, ids)}`
  return rows.map(({ record_id }) => record_id)
}
