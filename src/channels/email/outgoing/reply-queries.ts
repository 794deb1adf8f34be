import type { Fragment, Sql } from '../../../core/db/db.ts'
import { isSenderTrusted } from '../incoming/participant-queries.ts'
import type { ReceivedEmail } from './recipients.ts'

/** What a reply by email depends on. */

export interface ReplyTicket {
  id: string
  channel: string
  subject: string | null
  project_name: string
  /** The ticket's language, or if unknown, the project's. */
  language: string
  department_id: string | null
  /** The contact's primary address. */
  contact_address: string | null
  /** The mailboxes that received the ticket's newest email and that of its first message. They may have been removed. */
  newest_mailbox_id: string | null
  first_mailbox_id: string | null
  /** The Message-ID of our newest email. */
  own_message_id: string | null
}

const emailsOf = (
  sql: Sql,
  projectId: string,
  field: string,
  condition: Fragment,
  order: Fragment,
): Fragment =>
  sql`(select m.email->>${field}::text from messages m where m.project_id = ${projectId} and m.ticket_id = t.id
    and m.email is not null and not m.is_internal and ${condition} order by m.created_at ${order} limit 1)`

export async function findReplyTicket(sql: Sql, projectId: string, id: string): Promise<ReplyTicket | null> {
  const [first, last] = [sql`asc`, sql`desc`]
  const isReceived = sql`m.sender_type = 'contact'`
  const isSent = sql`m.sender_type <> 'contact' and m.delivery_status <> 'scheduled'`
  const [row] = await sql<ReplyTicket[]>`
    select t.id, t.channel, t.subject, p.name as project_name, coalesce(t.language, p.default_locale) as language,
      t.department_id, c.email as contact_address,
      ${emailsOf(sql, projectId, 'mailbox_id', isReceived, last)} as newest_mailbox_id,
      ${emailsOf(sql, projectId, 'mailbox_id', sql`true`, first)} as first_mailbox_id,
      ${emailsOf(sql, projectId, 'message_id', isSent, last)} as own_message_id
    from tickets t join contacts c on c.project_id = ${projectId} and c.id = t.contact_id
      join projects p on p.id = ${projectId}
    where t.project_id = ${projectId} and t.id = ${id}`
  return row ?? null
}

/** The newest email of each kind. Messages of merged contacts keep their `sender_id`. */
export const listReceived = (sql: Sql, projectId: string, ticketId: string) => sql<ReceivedEmail[]>`
  select distinct on (is_from_contact, is_trusted, is_doubtful) email->>'message_id' as message_id, email->>'from' as "from",
    email->'reply_to' as reply_to, email->'to' as "to", email->'cc' as cc, email->>'subject' as subject,
    email->>'thread_reason' as thread_reason, created_at, is_from_contact, is_trusted, is_doubtful
  from (
    select m.email, m.created_at, m.id, ${isSenderTrusted(sql)} as is_trusted,
      coalesce(coalesce(s.merged_into_id, s.id) = t.contact_id, false) as is_from_contact,
      m.email->>'class' = 'auto_reply' or m.email->'authentication'->>'dmarc' = 'fail' as is_doubtful
    from messages m
    join tickets t on t.project_id = ${projectId} and t.id = m.ticket_id
    left join contacts s on s.project_id = ${projectId} and s.id = m.sender_id
    where m.project_id = ${projectId} and m.ticket_id = ${ticketId} and m.sender_type = 'contact' and m.email is not null
      and not m.is_internal and m.deleted_at is null) received
  order by is_from_contact, is_trusted, is_doubtful, created_at desc, id desc`

export interface SendingMailbox {
  id: string
  address: string
  aliases: string[]
  name: string
  department_id: string | null
  state: 'active' | 'paused' | 'broken'
  sending: 'smtp' | 'installation' | 'none'
  plus_works: boolean | null
}

export const listSendingMailboxes = (sql: Sql, projectId: string) => sql<SendingMailbox[]>`
  select id, address, aliases, name, department_id, state, sending, plus_works from mailboxes
  where project_id = ${projectId} order by created_at, id`

/** The contacts with these folded addresses. */
export const listContactsByAddress = (sql: Sql, projectId: string, addresses: string[]) => sql<
  { address: string; name: string | null; is_undeliverable: boolean }[]
>`
  select i.value as address, c.full_name as name, i.is_undeliverable from contact_identities i
  join contacts c on c.project_id = ${projectId} and c.id = i.contact_id
  where i.project_id = ${projectId} and i.type = 'email' and i.value = any(${addresses}::text[])`
