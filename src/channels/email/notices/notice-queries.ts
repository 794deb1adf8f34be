import type { Sql } from '../../../core/db/db.ts'
import { tabTimeout } from '../../../live/live.ts'
import type { MessageRow } from '../../../messages/messages.ts'
import type { NoticeKind } from '../../../operators/operators.ts'
import type { ClaimedNotices } from './claim-notices.ts'

/** Queries for emails to operators about their tickets. */

export const deleteNotices = (sql: Sql, projectId: string, ids: string[]) => sql`
  delete from operator_notices where project_id = ${projectId} and id = any(${ids}::uuid[])`

/** Deletes notices that could not be sent for two days. Without a mail server, deletes all that are due. */
export const deleteStaleNotices = (sql: Sql, projectId: string, hasMailer: boolean) => sql`
  delete from operator_notices
  where project_id = ${projectId} and due_at <= now() and (not ${hasMailer}::boolean or created_at < now() - interval '2 days')`

export interface NoticeRecipient {
  email: string
  project: string
  color: string | null
  locale: string | null
  number: number
  subject: string
  contact: string | null
}

/** Null if the operator has left, or if the operator's address belongs to a mailbox, where the email would become a ticket. */
export async function findNoticeRecipient(
  sql: Sql,
  { project_id: projectId, operator_id }: ClaimedNotices,
  ticketId: string,
): Promise<NoticeRecipient | null> {
  const [row] = await sql<NoticeRecipient[]>`
    select o.email, p.name as project, p.color, p.default_locale as locale, t.number, t.subject,
      coalesce(c.full_name, c.email) as contact
    from operators o
    join projects p on p.id = ${projectId} and p.deleting_since is null
    join tickets t on t.project_id = ${projectId} and t.id = ${ticketId}
    join contacts c on c.project_id = ${projectId} and c.id = t.contact_id
    where o.project_id = ${projectId} and o.id = ${operator_id} and o.removed_at is null and o.user_id is not null
      and not exists (select from mailbox_addresses a where a.project_id is not null
        and a.address in (lower(o.email), regexp_replace(lower(o.email), '\\+[^@]*@', '@')))`
  return row ?? null
}

export interface NoticedMessage extends Pick<MessageRow, 'content' | 'content_format' | 'sender_name'> {
  kind: NoticeKind
}

/** Whether `tickets t` is assigned to the operator and not closed. */
const isTheirs = (sql: Sql, operatorId: string) =>
  sql`t.operator_id = ${operatorId} and t.status <> 'closed' and not t.is_spam`

/**
 * Lists what the operator has not seen yet, oldest first. A message counts as seen if the operator has read the ticket since, and an
 * assignment if the operator has the ticket open. An assignment contains the contact's newest message.
 */
export const listUnseenNotices = (
  sql: Sql,
  { project_id: projectId, operator_id: operatorId, ids }: ClaimedNotices,
  ticketId: string,
) => sql<NoticedMessage[]>`
  select n.kind, coalesce(m.content, '') as content, coalesce(m.content_format, 'text') as content_format, m.sender_name
  from operator_notices n
  join tickets t on t.project_id = ${projectId} and t.id = ${ticketId}
  left join lateral (
    select * from messages w
    where w.project_id = ${projectId} and w.ticket_id = t.id and w.deleted_at is null
      and case when n.message_id is null then w.sender_type = 'contact' else w.id = n.message_id end
    order by w.created_at desc limit 1) m on true
  where n.project_id = ${projectId} and n.id = any(${ids}::uuid[])
    and (n.kind = 'mentioned' or ${isTheirs(sql, operatorId)})
    and case when n.message_id is null then not exists (
        select from open_tabs s where s.project_id = ${projectId} and s.operator_id = ${operatorId} and s.ticket_id = t.id
          and s.seen_at > now() - ${tabTimeout}::text::interval)
      else m.id is not null and not exists (
        select from ticket_reads r where r.project_id = ${projectId} and r.ticket_id = t.id
          and r.operator_id = ${operatorId} and r.last_read_message_at >= m.created_at) end
  order by n.id`

/** The mailboxes that receive email at plus addresses. The mailbox of the ticket's emails comes first, then that of its department. */
export const listReplyMailboxes = (sql: Sql, projectId: string, ticketId: string) => sql<
  { address: string }[]
>`
  select b.address from mailboxes b join tickets t on t.project_id = ${projectId} and t.id = ${ticketId}
  where b.project_id = ${projectId} and b.state = 'active' and coalesce(b.plus_works, b.incoming = 'listen')
  order by b.id::text is not distinct from (
      select m.email->>'mailbox_id' from messages m
      where m.project_id = ${projectId} and m.ticket_id = t.id and m.email is not null order by m.created_at desc limit 1) desc,
    b.department_id is not distinct from t.department_id desc, b.created_at, b.id`
