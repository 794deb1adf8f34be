import type { Db, Fragment, Sql } from '../../core/db/db.ts'
import type { DueAction } from '../../events/due-actions.ts'

/** Replies in the chat that wait until the contact has read them or they are sent by email. */

/** The contact's verified address, the primary one first. Addresses that a server has refused are left out. */
const verifiedAddress = (sql: Sql, projectId: string): Fragment =>
  sql`(select i.value from contact_identities i
    where i.project_id = ${projectId} and i.contact_id = t.contact_id and i.type = 'email' and i.is_verified
      and not i.is_undeliverable
    order by i.is_primary desc, i.value limit 1)`

export interface EmailRoute {
  mailbox_id: string
  address: string
  after_minutes: number
  /** Whether the contact's newest message is an email. */
  is_by_email: boolean
}

/** How replies in a ticket are sent by email; null if they are not. The ticket's contact must be verified. */
export async function findEmailRoute(
  sql: Sql,
  projectId: string,
  ticketId: string,
): Promise<EmailRoute | null> {
  const [row] = await sql<EmailRoute[]>`
    select * from (
      select s.widget_mailbox_id as mailbox_id, s.widget_after_minutes as after_minutes,
        ${verifiedAddress(sql, projectId)} as address,
        coalesce((select m.channel from messages m
          where m.project_id = ${projectId} and m.ticket_id = t.id and m.sender_type = 'contact'
          order by m.created_at desc, m.id desc limit 1) = 'email', false) as is_by_email
      from reply_mailboxes s join tickets t on t.project_id = ${projectId} and t.id = ${ticketId}
      where s.project_id = ${projectId} and s.widget_mailbox_id is not null) found
    where address is not null`
  return row ?? null
}

/** Returns when the reply is sent by email. */
export async function insertUnreadReply(
  sql: Sql,
  projectId: string,
  messageId: string,
  afterMinutes: number,
): Promise<string> {
  const [row] = await sql<{ due_at: string }[]>`
    insert into unread_replies (project_id, message_id, due_at)
    values (${projectId}, ${messageId}, now() + make_interval(mins => ${afterMinutes}))
    on conflict (project_id, message_id) do update set due_at = excluded.due_at
    returning due_at::text`
  return row!.due_at
}

/** The tickets with replies that are due. */
export const listTicketsDue = (db: Db, projectId: string, limit: number) => db<DueAction[]>`
  select distinct m.project_id, m.ticket_id as id
  from unread_replies u join messages m on m.project_id = ${projectId} and m.id = u.message_id
  where u.project_id = ${projectId} and u.sent_with is null and u.due_at <= now() limit ${limit}`

export interface WaitingReply {
  id: string
  is_unread: boolean
}

/** Locks the waiting replies of a ticket, oldest first. Messages are locked before their rows, as in a deletion. */
export async function lockWaitingReplies(
  sql: Sql,
  projectId: string,
  ticketId: string,
): Promise<WaitingReply[]> {
  await sql`
    select from messages m
    where m.project_id = ${projectId} and m.ticket_id = ${ticketId} and exists (
      select from unread_replies u where u.project_id = ${projectId} and u.message_id = m.id and u.sent_with is null)
    order by m.id for no key update of m`
  return sql<WaitingReply[]>`
    select m.id, m.deleted_at is null and m.created_at > greatest(r.read_at, a.last_contact_message_at, '-infinity')
      as is_unread
    from unread_replies u
      join messages m on m.project_id = ${projectId} and m.id = u.message_id
      join ticket_activity a on a.project_id = ${projectId} and a.ticket_id = m.ticket_id
      left join contact_reads r on r.project_id = ${projectId} and r.ticket_id = m.ticket_id
    where u.project_id = ${projectId} and m.ticket_id = ${ticketId} and u.sent_with is null
    order by m.created_at, m.id`
}

export const deleteUnreadReplies = (sql: Sql, projectId: string, ids: string[]) => sql`
  delete from unread_replies where project_id = ${projectId} and message_id = any(${ids}::uuid[])`

/** Returns the new time. */
export async function updateUnreadDue(
  sql: Sql,
  projectId: string,
  ids: string[],
  afterMinutes: number,
): Promise<string> {
  const [row] = await sql<{ due_at: string }[]>`
    update unread_replies set due_at = now() + make_interval(mins => ${afterMinutes})
    where project_id = ${projectId} and message_id = any(${ids}::uuid[]) returning due_at::text`
  return row!.due_at
}

/** Records that these replies are in the email of another one. */
export const updateSentWith = (sql: Sql, projectId: string, ids: string[], sentWith: string) => sql`
  update unread_replies set sent_with = ${sentWith}
  where project_id = ${projectId} and message_id = any(${ids}::uuid[])`
