import { anyId, type Fragment, type Sql, updateVersioned } from '../core/db/db.ts'
import { keysOf } from '../core/objects.ts'
import { indexVersion } from '../core/words/vector.ts'
import { compareFields } from '../events/field-changes.ts'
import { lockEventTime } from '../events/log.ts'
import type { ChangedBy } from '../events/ticket-history.ts'
import type { Tx } from '../events/transaction.ts'
import { reindex } from '../words/words.ts'
import { hasSearchedTicketField, indexedTickets, printTicketIndex } from './indexed.ts'
import type { Ticket } from './schema.ts'
import type { Status } from './status.ts'

/** A locked ticket, with the values on which changes are based. */
export interface LockedTicket {
  id: string
  number: number
  subject: string
  status: Status
  priority: string
  channel: string
  contact_id: string
  operator_id: string | null
  department_id: string | null
  tags: string[]
  custom_fields: Record<string, unknown>
  external_id: string | null
  is_spam: boolean
  snoozed_until: string | null
  merged_into_id: string | null
  created_at: string
  reopened_count: number
  version: number
}

/** In a fixed order, so that two changes of the same tickets do not deadlock. */
export const lockTickets = (sql: Sql, projectId: string, ids: string[]) => sql<LockedTicket[]>`
  select id, number, subject, status, priority, channel, contact_id, operator_id, department_id, tags, custom_fields,
    external_id, is_spam, snoozed_until, merged_into_id, created_at, reopened_count, version
  from tickets where project_id = ${projectId} and id = ${anyId(sql, ids)} order by id for no key update`

export async function lockTicket(sql: Sql, projectId: string, id: string): Promise<LockedTicket | null> {
  const [row] = await sql<LockedTicket[]>`
    select id, number, subject, status, priority, channel, contact_id, operator_id, department_id, tags, custom_fields,
      external_id, is_spam, snoozed_until, merged_into_id, created_at, reopened_count, version
    from tickets where project_id = ${projectId} and id = ${id} for no key update`
  return row ?? null
}

/** Those of the tickets that are being deleted with all their data. Their rows must be locked. */
export async function listTicketsInDeletion(sql: Sql, projectId: string, ids: string[]): Promise<string[]> {
  const rows = await sql<{ record_id: string }[]>`
    select record_id from data_deletions
    where project_id = ${projectId} and kind = 'ticket' and state = 'running' and record_id = ${anyId(sql, ids)}`
  return rows.map(({ record_id }) => record_id)
}

/** Locks two tickets in a fixed order, so that two changes of the same pair do not deadlock. */
export async function lockBoth(sql: Sql, projectId: string, first: string, second: string) {
  const locked = new Map<string, LockedTicket | null>()
  for (const id of [first, second].sort()) locked.set(id, await lockTicket(sql, projectId, id))
  for (const id of await listTicketsInDeletion(sql, projectId, [first, second])) locked.set(id, null)
  return [locked.get(first) ?? null, locked.get(second) ?? null] as const
}

/** The columns that a change can write. Their names come from this type, never from a request. */
export interface TicketFields {
  contact_id?: string
  contact_identity?: Ticket['contact_identity']
  subject?: string
  status?: Status
  priority?: string
  operator_id?: string | null
  department_id?: string | null
  tags?: string[]
  custom_fields?: Record<string, unknown>
  external_id?: string | null
  is_spam?: boolean
  snoozed_until?: string | null
  closed_at?: string | null
  closed_by?: Record<string, unknown> | null
  resolution_secs?: number | null
  reopened_count?: number
  rating?: number
  rating_comment?: string | null
  rated_at?: string
  merged_into_id?: string | null
}

/** Changes a locked ticket, and records the change. */
export async function updateTicket(tx: Tx, by: ChangedBy, id: string, fields: TicketFields): Promise<void> {
  const { projectId } = tx
  const [old] = await tx<TicketFields[]>`
    with old as (
      select ${tx(keysOf(fields))} from tickets where project_id = ${projectId} and id = ${id}
    ), changed as (
      ${updateVersioned(tx, 'tickets', fields)}
      where project_id = ${projectId} and id = ${id}
    ) select old.* from ticket_activity a, old
      where a.project_id = ${projectId} and a.ticket_id = ${id} for no key update of a`
  tx.record({ ticketId: id, by, changes: compareFields(old!, fields) })
  if (hasSearchedTicketField(fields)) await reindex(tx, projectId, indexedTickets, 'id', id)
  tx.touch('ticket', id)
}

/** Increases the version of a ticket because something about it changed that is stored elsewhere. */
export async function updateTicketVersion(tx: Tx, id: string): Promise<void> {
  const { projectId } = tx
  await tx`
    with changed as (
      update tickets set version = version + 1 where project_id = ${projectId} and id = ${id}
    ) select from ticket_activity where project_id = ${projectId} and ticket_id = ${id} for no key update`
  tx.touch('ticket', id)
}

export interface TicketInsert extends TicketFields {
  id: string
  subject: string
  status: Status
  priority: string
  channel: string
  contact_id: string
  language: string | null
  over_limit?: boolean
  follow_up_of_id?: string | null
}

/**
 * Inserts a ticket with the next number, which also counts for the month, and with its creation time. The project's counter stays
 * locked until the commit, so that no number is lost or given twice, and later tickets become visible later. The time is that of
 * the clock, not of the transaction's start, so that the month never goes back.
 */
export async function insertTicket(tx: Tx, by: ChangedBy, ticket: TicketInsert): Promise<string> {
  const { projectId } = tx
  const at = tx`(select at from stamp)`
  const row = {
    project_id: projectId,
    number: tx`(select ticket_number from numbered)`,
    ...ticket,
    search: tx`${printTicketIndex(ticket)}::text::tsvector`,
    search_version: indexVersion,
    created_at: at,
    ...(ticket.closed_at && { closed_at: at }),
  }
  const [made] = await tx<{ created_at: string }[]>`
    with ${lockEventTime(tx, projectId)}, numbered as (
      update project_counters c set ticket_number = ticket_number + 1, month = greatest(c.month, clock.month),
        month_tickets = case when clock.month > c.month then 1 else month_tickets + 1 end, event_at = stamp.at
      from stamp, (select date_trunc('month', clock_timestamp(), 'UTC') as month) clock
      where c.project_id = ${projectId} returning ticket_number
    ), ticket as (
      insert into tickets ${tx(row)} returning id, created_at
    ), activity as (
      insert into ticket_activity (project_id, ticket_id, updated_at) select ${projectId}, id, created_at from ticket
    ) select created_at from ticket`
  tx.touch('ticket', ticket.id)
  tx.record({ ticketId: ticket.id, by, changes: {}, isCreation: true })
  return made!.created_at
}

/** Taken before the lock of the activity, in the same order as when a message is changed. */
export const lockMessages = (sql: Sql, projectId: string, ticketId: string) => sql`
  select from messages where project_id = ${projectId} and ticket_id = ${ticketId} order by id for no key update`

/** The first public message of an operator in ticket `from` since ticket `t` was created: the older ticket may have earlier ones. */
const firstReplySinceCreation = (sql: Sql, projectId: string, from: string): Fragment =>
  sql`(select m.created_at from messages m where m.project_id = ${projectId} and m.ticket_id = ${from}
    and m.created_at >= t.created_at and m.sender_type = 'operator' and not m.is_internal and m.delivery_status <> 'scheduled'
    order by m.created_at limit 1)`

/** Moves the conversation and its activity to another ticket. Counts are added, and the later of the two last messages is kept. */
export const updateTicketOf = (sql: Sql, projectId: string, from: string, to: string, at: string) => sql`
  with moved as (
    update messages set ticket_id = ${to}, version = version + 1, updated_at = ${at}
    where project_id = ${projectId} and ticket_id = ${from}
  ), emptied as (
    update ticket_activity set messages_count = 0, last_message_id = null, last_message_at = null,
      last_message_sender_type = null, last_message_preview = null
    where project_id = ${projectId} and ticket_id = ${from}
  ), source as (select * from ticket_activity where project_id = ${projectId} and ticket_id = ${from})
  update ticket_activity t set
    messages_count = t.messages_count + s.messages_count,
    (last_message_id, last_message_at, last_message_sender_type, last_message_preview) = (
      select l.last_message_id, l.last_message_at, l.last_message_sender_type, l.last_message_preview
      from (values (t.last_message_id, t.last_message_at, t.last_message_sender_type, t.last_message_preview),
        (s.last_message_id, s.last_message_at, s.last_message_sender_type, s.last_message_preview))
        as l (last_message_id, last_message_at, last_message_sender_type, last_message_preview)
      order by l.last_message_at desc nulls last limit 1),
    first_reply_at = least(t.first_reply_at, case when s.first_reply_at >= t.created_at then s.first_reply_at end,
      ${firstReplySinceCreation(sql, projectId, from)}),
    first_bot_reply_at = least(t.first_bot_reply_at, case when s.first_bot_reply_at >= t.created_at then s.first_bot_reply_at end),
    last_contact_message_at = greatest(t.last_contact_message_at, s.last_contact_message_at),
    last_operator_message_at = greatest(t.last_operator_message_at, s.last_operator_message_at),
    waiting_since = case when t.status <> 'closed' then least(t.waiting_since, s.waiting_since) end,
    waited_since = case when t.status = 'closed' then least(t.waited_since, s.waiting_since) end
  from source s where t.project_id = ${projectId} and t.ticket_id = ${to}`
