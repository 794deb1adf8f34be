import { type Fragment, type Sql, updateVersioned } from '../core/db/db.ts'
import { indexVersion } from '../core/words/vector.ts'
import { lockEventTime } from '../events/log.ts'
import type { Tx } from '../events/transaction.ts'
import { reindex } from '../words/words.ts'
import { hasSearchedTicketField, indexedTickets, printTicketIndex } from './indexed.ts'
import type { Ticket } from './schema.ts'
import type { Status } from './status.ts'

export type TicketRow = Omit<Ticket, '_links' | 'sla' | 'last_message' | 'short_id'> & {
  number: number
  last_message_id: string | null
  last_message_at: string | null
  last_message_sender_type: NonNullable<Ticket['last_message']>['sender_type'] | null
  last_message_preview: string | null
}

/** With current names. An integration has the name of its key. */
const closer = (sql: Sql, projectId: string): Fragment =>
  sql`
  t.closed_by || jsonb_build_object('name', case t.closed_by->>'type'
    when 'api' then (select k.name from api_keys k
      where k.project_id = ${projectId} and k.id = (t.closed_by->>'id')::uuid)
    when 'operator' then (select b.name from operators b
      where b.project_id = ${projectId} and b.id = (t.closed_by->>'id')::uuid)
    when 'contact' then c.full_name end)`

const columns = (sql: Sql, projectId: string): Fragment =>
  sql`
  t.id, t.number, t.project_id as workspace_id, t.subject, t.status, t.priority, t.channel, t.contact_id,
  jsonb_build_object('id', c.id, 'full_name', c.full_name, 'email', c.email, 'telegram_id', c.telegram_id,
    'phone', c.phone, 'avatar_url', c.avatar_url, 'is_blocked', c.blocked_at is not null) as contact,
  t.contact_identity, t.operator_id, case when o.id is not null then
    jsonb_build_object('id', o.id, 'name', o.name, 'avatar_url', o.avatar_url) end as operator,
  t.department_id, d.name as department_name, t.tags, t.custom_fields, t.external_id, t.is_spam, t.over_limit,
  t.language, t.rating, t.rating_comment, t.rated_at, a.messages_count, a.last_message_id, a.last_message_at,
  a.last_message_sender_type, a.last_message_preview, t.created_at, a.updated_at, a.first_reply_at, a.first_bot_reply_at,
  a.last_contact_message_at, a.last_operator_message_at, a.waiting_since, t.snoozed_until, t.closed_at, ${closer(sql, projectId)} as closed_by,
  t.resolution_secs, t.reopened_count, t.merged_into_id, t.follow_up_of_id, t.version`

/** Tickets by id: one ticket, a page, or those of several requests at the same time. */
export const listTicketRows = (sql: Sql, projectId: string, ids: string[]) => sql<TicketRow[]>`
  select ${columns(sql, projectId)}
  from unnest((select ${ids}::uuid[])) as wanted (id)
  join tickets t on t.project_id = ${projectId} and t.id = wanted.id
  join ticket_activity a on a.project_id = t.project_id and a.ticket_id = t.id
  join contacts c on c.project_id = t.project_id and c.id = t.contact_id
  left join operators o on o.project_id = t.project_id and o.id = t.operator_id
  left join departments d on d.project_id = t.project_id and d.id = t.department_id`

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

export async function lockTicket(sql: Sql, projectId: string, id: string): Promise<LockedTicket | null> {
  const [row] = await sql<LockedTicket[]>`
    select id, number, subject, status, priority, channel, contact_id, operator_id, department_id, tags, custom_fields,
      external_id, is_spam, snoozed_until, merged_into_id, created_at, reopened_count, version
    from tickets where project_id = ${projectId} and id = ${id} for no key update`
  return row ?? null
}

/** Locks two tickets in a fixed order, so that two changes of the same pair do not deadlock. */
export async function lockBoth(sql: Sql, projectId: string, first: string, second: string) {
  const locked = new Map<string, LockedTicket | null>()
  for (const id of [first, second].sort()) locked.set(id, await lockTicket(sql, projectId, id))
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
  merged_into_id?: string
}

export async function updateTicket(tx: Tx, id: string, fields: TicketFields): Promise<void> {
  const { projectId } = tx
  await tx`
    with changed as (
      ${updateVersioned(tx, 'tickets', fields)}
      where project_id = ${projectId} and id = ${id}
    ) select from ticket_activity where project_id = ${projectId} and ticket_id = ${id} for no key update`
  if (hasSearchedTicketField(fields)) await reindex(tx, projectId, indexedTickets, 'id', id)
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
export async function insertTicket(tx: Tx, ticket: TicketInsert): Promise<string> {
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
  return made!.created_at
}

/** Taken before the lock of the activity, in the same order as when a message is changed. */
export const lockMessages = (sql: Sql, projectId: string, ticketId: string) => sql`
  select from messages where project_id = ${projectId} and ticket_id = ${ticketId} order by id for no key update`

/** Moves the conversation and its activity to another ticket. Counts are added, and the later of the two last messages is kept. */
export const updateTicketOf = (sql: Sql, projectId: string, from: string, to: string, at: string) => sql`
  with moved as (
    update messages set ticket_id = ${to}, version = version + 1, updated_at = ${at}
    where project_id = ${projectId} and ticket_id = ${from}
  ), emptied as (
    update ticket_activity set messages_count = 0, last_message_id = null, last_message_at = null,
      last_message_sender_type = null, last_message_preview = null, waiting_since = null
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
    first_reply_at = least(t.first_reply_at, s.first_reply_at),
    first_bot_reply_at = least(t.first_bot_reply_at, s.first_bot_reply_at),
    last_contact_message_at = greatest(t.last_contact_message_at, s.last_contact_message_at),
    last_operator_message_at = greatest(t.last_operator_message_at, s.last_operator_message_at),
    waiting_since = least(t.waiting_since, s.waiting_since)
  from source s where t.project_id = ${projectId} and t.ticket_id = ${to}`
