import type { Fragment, Sql } from '../core/db/db.ts'
import type { Ticket } from './schema.ts'

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
