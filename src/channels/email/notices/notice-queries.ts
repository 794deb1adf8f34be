import type { Db, Sql } from '../../../core/db.ts'
import { newId } from '../../../core/ids.ts'
import { tabTimeout } from '../../../live/live.ts'
import type { MessageRow } from '../../../messages/messages.ts'
import type { NoticeKind } from '../../../operators/operators.ts'

/** Notices for one operator about one ticket, which become one email. */
export interface ClaimedNotices {
  project_id: string
  operator_id: string
  ticket_id: string
  email_id: string
  ids: string[]
  has_mention: boolean
}

/**
 * Claims the notices of an operator and a ticket of which one is due. They stay together: later ones become another email. If they are
 * still there after the lease, they are due again. The lease grows with their age.
 */
export async function claimNotices(db: Db, projectId: string): Promise<ClaimedNotices | null> {
  const [claimed] = await db<ClaimedNotices[]>`
    with first as (
      select operator_id, ticket_id, email_id from operator_notices
      where project_id = ${projectId} and due_at <= now() order by due_at limit 1
    ), held as (
      select n.id from operator_notices n
      join first f on f.operator_id = n.operator_id and f.ticket_id = n.ticket_id and f.email_id is not distinct from n.email_id
      where n.project_id = ${projectId} and (n.email_id is null or n.due_at <= now())
      order by n.id for no key update of n
    ), claimed as (
      update operator_notices n set email_id = coalesce(n.email_id, ${newId()}),
        due_at = now() + greatest(now() - n.created_at, interval '5 minutes')
      from held where n.project_id = ${projectId} and n.id = held.id returning n.*
    )
    select project_id, operator_id, ticket_id, email_id, array_agg(id) as ids, bool_or(kind = 'mentioned') as has_mention
    from claimed group by 1, 2, 3, 4`
  return claimed ?? null
}

export const deleteNotices = (sql: Sql, projectId: string, ids: string[]) => sql`
  delete from operator_notices where project_id = ${projectId} and id = any(${ids as never}::uuid[])`

/** Deletes notices that could not be sent for two days, or, without a mail server, all that are due. */
export const deleteStaleNotices = (sql: Sql, projectId: string, hasMailer: boolean) => sql`
  delete from operator_notices
  where project_id = ${projectId} and due_at <= now() and (not ${hasMailer}::boolean or created_at < now() - interval '2 days')`

export interface NoticeReader {
  email: string
  project: string
  color: string | null
  locale: string | null
  number: number
  subject: string
  contact: string | null
}

/** The operator and the ticket; null if the operator has left or the address belongs to a mailbox, where the email would become a ticket. */
export async function findNoticeReader(
  sql: Sql,
  { project_id: projectId, operator_id }: ClaimedNotices,
  ticketId: string,
): Promise<NoticeReader | null> {
  const [row] = await sql<NoticeReader[]>`
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

/** Whether `tickets t` still needs the operator: it is assigned to them and not closed. */
const needsOperator = (sql: Sql, operatorId: string) =>
  sql`t.operator_id = ${operatorId} and t.status <> 'closed' and not t.is_spam`

/**
 * What is still news for the operator, oldest first. They have seen a message if they have read the ticket since, and the assignment if
 * they have the ticket open. An assignment comes with the contact's newest message.
 */
export const listNews = (
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
  where n.project_id = ${projectId} and n.id = any(${ids as never}::uuid[])
    and (n.kind = 'mentioned' or ${needsOperator(sql, operatorId)})
    and case when n.message_id is null then not exists (
        select from open_tabs s where s.project_id = ${projectId} and s.operator_id = ${operatorId} and s.ticket_id = t.id
          and s.seen_at > now() - ${tabTimeout}::text::interval)
      else m.id is not null and not exists (
        select from ticket_reads r where r.project_id = ${projectId} and r.ticket_id = t.id
          and r.operator_id = ${operatorId} and r.last_read_message_at >= m.created_at) end
  order by n.id`

/** The addresses of mailboxes that receive mail for `name+tag@`: first that of the ticket's emails, then that of its department. */
export const listReplyMailboxes = (sql: Sql, projectId: string, ticketId: string) => sql<
  { address: string }[]
>`
  select b.address from mailboxes b join tickets t on t.project_id = ${projectId} and t.id = ${ticketId}
  where b.project_id = ${projectId} and b.state = 'active' and coalesce(b.plus_works, b.incoming = 'listen')
  order by b.id::text is not distinct from (
      select m.email->>'mailbox_id' from messages m
      where m.project_id = ${projectId} and m.ticket_id = t.id and m.email is not null order by m.created_at desc limit 1) desc,
    b.department_id is not distinct from t.department_id desc, b.created_at, b.id`

export interface NoticeEmail {
  id: string
  operator_id: string
  ticket_id: string
  is_internal: boolean
  content: string
  is_answered: boolean
  created_at: string
}

/** Its operator can answer it from now on. Of several attempts to send it, the first decides what an answer becomes. */
export const insertNoticeEmail = (
  sql: Sql,
  projectId: string,
  { id, operator_id, ticket_id, is_internal, content }: Omit<NoticeEmail, 'is_answered' | 'created_at'>,
) => sql`
  insert into notice_emails (project_id, id, operator_id, ticket_id, is_internal, content)
  values (${projectId}, ${id}, ${operator_id}, ${ticket_id}, ${is_internal}, ${content}) on conflict (project_id, id) do nothing`

/** The emails with these ids whose operators are still there. */
export const listNoticeEmails = (sql: Sql, projectId: string, ids: string[]) => sql<NoticeEmail[]>`
  select e.id, e.operator_id, e.ticket_id, e.is_internal, e.content, e.answered_at is not null as is_answered,
    to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as created_at
  from notice_emails e
  join operators o on o.project_id = ${projectId} and o.id = e.operator_id and o.removed_at is null
  where e.project_id = ${projectId} and e.id = any(${ids as never}::uuid[])`

export const updateNoticeAnswered = (sql: Sql, projectId: string, id: string) => sql`
  update notice_emails set answered_at = coalesce(answered_at, now()) where project_id = ${projectId} and id = ${id}`

/** Emails can be answered for this time. */
const answerDays = 90

export async function deleteOldNoticeEmails(db: Db): Promise<number> {
  const { count } = await db`
    delete from notice_emails where project_id is not null and created_at < now() - make_interval(days => ${answerDays})`
  return count
}
