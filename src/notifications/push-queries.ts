import type { Sql } from '../core/db/db.ts'
import { tabTimeout } from '../live/live.ts'
import type { MessageRow } from '../messages/messages.ts'
import type { PushKind } from '../operators/operators.ts'
import type { PushTarget } from './device-queries.ts'

export const deletePushes = (sql: Sql, projectId: string, ids: string[]) => sql`
  delete from operator_pushes where project_id = ${projectId} and id = any(${ids}::uuid[])`

export interface PushRow extends PushTarget {
  id: string
  kind: PushKind
  number: number
  subject: string
  is_hidden: boolean
  author: string | null
  content: Pick<MessageRow, 'content' | 'content_format'> | null
}

/**
 * The notifications that are still needed: less than an hour old, for somebody who may open the project, who has no tab of it in
 * front and has not read the message. An assignment and a new ticket show the contact's newest message.
 */
export const listNeededPushes = (sql: Sql, projectId: string, ids: string[]) => sql<PushRow[]>`
  select p.id, p.kind, d.id as device_id, d.endpoint, d.p256dh, d.auth, t.number, t.subject,
    u.settings->'notifications'->>'hides_content' is not distinct from 'true' as is_hidden,
    coalesce(m.sender_name, c.full_name, c.email) as author,
    case when m.id is not null then jsonb_build_object('content', m.content, 'content_format', m.content_format) end as content
  from operator_pushes p
  join projects r on r.id = ${projectId} and r.deleting_since is null and r.suspended_at is null
  join operators o on o.project_id = ${projectId} and o.id = p.operator_id and o.removed_at is null
  join users u on u.id = o.user_id and (u.two_factor_enabled or not r.requires_second_factor)
  join push_devices d on d.id = p.device_id and d.user_id = u.id
  join user_sessions s on s.id = d.session_id and s.expires_at > now()
  join tickets t on t.project_id = ${projectId} and t.id = p.ticket_id
  join contacts c on c.project_id = ${projectId} and c.id = t.contact_id
  left join lateral (
    select * from messages w
    where w.project_id = ${projectId} and w.ticket_id = t.id and w.deleted_at is null
      and case when p.message_id is null then w.sender_type = 'contact' else w.id = p.message_id end
    order by w.created_at desc limit 1) m on true
  where p.project_id = ${projectId} and p.id = any(${ids}::uuid[]) and p.created_at > now() - interval '1 hour'
    and (p.kind = 'mentioned' or t.status <> 'closed' and not t.is_spam
      and t.operator_id is not distinct from case when p.kind <> 'unassigned' then o.id end)
    and (p.message_id is null or m.id is not null)
    and not exists (
      select from open_tabs a where a.project_id = ${projectId} and a.operator_id = o.id and a.is_visible
        and a.seen_at > now() - ${tabTimeout}::text::interval)
    and not exists (
      select from ticket_reads h where h.project_id = ${projectId} and h.ticket_id = t.id and h.operator_id = o.id
        and p.message_id is not null and h.last_read_message_at >= m.created_at)
  order by p.id`
