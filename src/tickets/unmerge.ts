import { anyId, type Db, type Fragment, type Sql } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { ApiError } from '../core/errors.ts'
import { parseTime, toDatabase } from '../core/time.ts'
import { lockActivities } from '../events/activity.ts'
import { takeEventTime } from '../events/log.ts'
import { type ChangedBy, changedBy } from '../events/ticket-history.ts'
import type { DbOrTx, Tx } from '../events/transaction.ts'
import { getTicketId, recountActivity } from '../messages/messages.ts'
import { changeAndGetTicket, getTicket } from './find.ts'
import {
  type LockedTicket,
  lockBoth,
  lockMessages,
  type TicketFields,
  updateTicket,
  updateTicketVersion,
} from './queries.ts'
import type { Ticket } from './schema.ts'
import { recordAction } from './system-messages.ts'

/** A merge can be undone for ten minutes, as long as nobody has written since. */

interface Merge {
  source_id: string
  target_id: string
  message_ids: string[]
  /** Since when the contacts were waiting before the merge. Null if an older version merged. */
  waits: { source: string | null; target: string | null } | null
  merged_at: string
  is_recent: boolean
}

/** Since when the contact is waiting, or was waiting when the ticket was closed. */
const waitIn = (sql: Sql, projectId: string, ticketId: string): Fragment => sql`(
  select case when status = 'closed' then waited_since else waiting_since end from ticket_activity
  where project_id = ${projectId} and ticket_id = ${ticketId})`

/** Called before the messages move, when nobody else can post to either ticket any more. */
export const insertMerge = (
  sql: Sql,
  projectId: string,
  sourceId: string,
  targetId: string,
  at: string,
) => sql`
  insert into ticket_merges (project_id, source_id, target_id, message_ids, source_fields, merged_at, waits)
  select ${projectId}, t.id, ${targetId},
    array(select m.id from messages m where m.project_id = ${projectId} and m.ticket_id = t.id),
    jsonb_build_object('status', t.status, 'closed_at', t.closed_at, 'closed_by', t.closed_by,
      'resolution_secs', t.resolution_secs, 'snoozed_until', t.snoozed_until), ${at},
    jsonb_build_object('source', ${waitIn(sql, projectId, sourceId)}, 'target', ${waitIn(sql, projectId, targetId)})
  from tickets t where t.project_id = ${projectId} and t.id = ${sourceId}
  on conflict (project_id, source_id) do update set target_id = excluded.target_id,
    message_ids = excluded.message_ids, source_fields = excluded.source_fields, merged_at = excluded.merged_at,
    waits = excluded.waits`

export const deleteOldMerges = async (db: Db): Promise<number> =>
  (
    await db`
    delete from ticket_merges where (project_id, source_id) in (
      select project_id, source_id from ticket_merges where merged_at < now() - interval '1 day'
      order by merged_at limit 1000)`
  ).count

async function findMerge(sql: Sql, projectId: string, sourceId: string): Promise<Merge | null> {
  const [row] = await sql<Merge[]>`
    select source_id, target_id, message_ids, waits, merged_at, merged_at > now() - interval '10 minutes' as is_recent
    from ticket_merges where project_id = ${projectId} and source_id = ${sourceId}`
  return row ?? null
}

async function isAnswered(tx: Tx, { target_id, message_ids, merged_at }: Merge): Promise<boolean> {
  const { count } = await tx`
    select from messages where project_id = ${tx.projectId} and ticket_id = ${target_id}
      and created_at > ${toDatabase(merged_at)} and sender_type <> 'system'
      and not id = ${anyId(tx, message_ids)} limit 1`
  return count > 0
}

const final = (reason: string): ApiError => new ApiError('MERGE_FINAL', { reason })

/** Locks both tickets. Throws an error if the merge cannot be undone. */
async function lockMerged(tx: Tx, merge: Merge): Promise<readonly [LockedTicket, LockedTicket]> {
  const [source, target] = await lockBoth(tx, tx.projectId, merge.source_id, merge.target_id)
  if (!source || !target || source.merged_into_id !== target.id) throw final('not_merged')
  if (target.merged_into_id !== null) throw final('merged')
  await lockMessages(tx, tx.projectId, target.id)
  await lockActivities(tx, tx.projectId, [source.id, target.id])
  if (!merge.is_recent) throw final('too_old')
  if (await isAnswered(tx, merge)) throw final('newer_messages')
  return [source, target]
}

/** Where the source was before the merge. An operator who has left the project does not get it back. */
async function listFieldsBefore(tx: Tx, source: LockedTicket): Promise<TicketFields> {
  const [row] = await tx<{ fields: TicketFields; has_left: boolean }[]>`
    with undone as (
      delete from ticket_merges where project_id = ${tx.projectId} and source_id = ${source.id} returning source_fields
    ) select source_fields as fields, ${source.operator_id}::uuid is not null and not exists (
      select from operators o where o.project_id = ${tx.projectId} and o.id = ${source.operator_id} and o.removed_at is null
    ) as has_left from undone`
  const { fields, has_left } = row!
  const timeOf = (time: string | null | undefined) => time && toDatabase(parseTime(time)!)
  return {
    ...fields,
    closed_at: timeOf(fields.closed_at),
    snoozed_until: timeOf(fields.snoozed_until),
    merged_into_id: null,
    ...(has_left && { operator_id: null }),
  }
}

/** Since when the contacts wait without the merge. The target's wait may have ended since, by closing it. */
async function findWaits(tx: Tx, { source_id, target_id, waits }: Merge): Promise<[string, string | null][]> {
  if (!waits) return []
  const [row] = await tx<{ is_waiting: boolean }[]>`
    select ${waitIn(tx, tx.projectId, target_id)} is not null as is_waiting`
  return [
    [source_id, waits.source],
    [target_id, row!.is_waiting ? waits.target : null],
  ]
}

const updateWait = (tx: Tx, ticketId: string, since: string | null) => tx`
  update ticket_activity set waiting_since = case when status <> 'closed' then ${since}::text::timestamptz end,
    waited_since = case when status = 'closed' then ${since}::text::timestamptz end
  where project_id = ${tx.projectId} and ticket_id = ${ticketId}`

async function restore(tx: Tx, by: ChangedBy, source: LockedTicket, merge: Merge): Promise<void> {
  const { target_id, message_ids } = merge
  const waits = await findWaits(tx, merge)
  const at = await takeEventTime(tx, tx.projectId)
  await tx`
    update messages set ticket_id = ${source.id}, version = version + 1, updated_at = ${at}
    where project_id = ${tx.projectId} and ticket_id = ${target_id} and id = ${anyId(tx, message_ids)}`
  await updateTicket(tx, by, source.id, await listFieldsBefore(tx, source))
  for (const id of [source.id, target_id]) await updateTicketVersion(tx, id)
  for (const id of [source.id, target_id]) await recountActivity(tx, id)
  for (const [id, since] of waits) await updateWait(tx, id, since)
}

/** Restores the ticket that was merged, and returns it. */
export function unmergeTicket(store: DbOrTx, caller: Caller, reference: string): Promise<Ticket> {
  return changeAndGetTicket(store, caller.project.id, async tx => {
    const sourceId = await getTicketId(tx, tx.projectId, reference)
    const merge = await findMerge(tx, tx.projectId, sourceId)
    if (!merge) throw final('not_merged')
    const [source, target] = await lockMerged(tx, merge)
    const by = changedBy(caller)
    await restore(tx, by, source, merge)
    tx.record({ ticketId: target.id, by, changes: { merged_ticket_id: [source.id, null] } })
    const ticket = await getTicket(tx, tx.projectId, source.id)
    if (ticket.snoozed_until) tx.noteDue('snoozes', toDatabase(ticket.snoozed_until))
    if (ticket.status !== 'closed')
      tx.emit({ type: 'ticket.reopened', data: { ticket_id: source.id, status: ticket.status } })
    const tell = (ticket_id: string) =>
      tx.emit({ type: 'ticket.updated', data: { ticket_id, cause: 'unmerged' } })
    tell(source.id)
    tell(target.id)
    for (const [one, other] of [
      [source, target],
      [target, source],
    ] as const)
      await recordAction(tx, caller, one.id, 'ticket_unmerged', {
        ticket_id: other.id,
        short_id: `${other.number}`,
      })
    return source.id
  })
}
