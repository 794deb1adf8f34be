import type { Sql } from '../../../core/db/db.ts'
import type { RecipientResult, RecipientStatus } from '../outgoing/outgoing-queries.ts'

/** Messages that were sent by email, and their recipients. */

export const listReportedRecipients = (sql: Sql, projectId: string, messageId: string) => sql<
  RecipientResult[]
>`
  select address, status, code, words from mail_recipients
  where project_id = ${projectId} and message_id = ${messageId} order by updated_at desc, address`

/** Filters these ids to those of sent messages, and keeps the order. */
export async function listSentMessages(sql: Sql, projectId: string, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await sql<{ id: string }[]>`
    select m.id from messages m where m.project_id = ${projectId} and m.id = any(${ids}::uuid[])
      and exists (select from mail_recipients r where r.project_id = ${projectId} and r.message_id = m.id)`
  return ids.filter(id => rows.some(row => row.id === id))
}

/** The newest message of a ticket that was sent to one of these addresses. */
export async function findSentInTicket(
  sql: Sql,
  projectId: string,
  ticketId: string,
  addresses: string[],
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select m.id from messages m
    join mail_recipients r on r.project_id = ${projectId} and r.message_id = m.id
      and r.address = any(${addresses}::text[])
    where m.project_id = ${projectId} and m.ticket_id = ${ticketId} order by m.created_at desc, m.id desc limit 1`
  return row?.id ?? null
}

/**
 * The newest message of the last 14 days that a mailbox sent to one of these addresses. Leaves out messages that are waiting
 * for their next attempt, because they have not been sent.
 */
export async function findSentTo(
  sql: Sql,
  projectId: string,
  mailboxId: string,
  addresses: string[],
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select m.id from mail_recipients r
    join messages m on m.project_id = ${projectId} and m.id = r.message_id and m.created_at > now() - interval '14 days'
    join outgoing_emails e on e.project_id = ${projectId} and e.message_id = m.id and e.mailbox_id = ${mailboxId}
    where r.project_id = ${projectId} and r.address = any(${addresses}::text[]) and r.status <> 'pending'
      and r.updated_at > now() - interval '14 days'
    order by m.created_at desc, m.id desc limit 1`
  return row?.id ?? null
}

/** Changes a recipient's status if it is one of `from`. Returns whether it was. */
export async function updateRecipient(
  sql: Sql,
  projectId: string,
  messageId: string,
  from: RecipientStatus[],
  { address, status, code, words }: RecipientResult,
): Promise<boolean> {
  const { count } = await sql`
    update mail_recipients set status = ${status}, code = ${code}, words = ${words}, updated_at = now()
    where project_id = ${projectId} and message_id = ${messageId} and address = ${address}
      and status = any(${from}::text[])`
  return count > 0
}

/** Whether the ticket already records that this recipient complained about this message. */
export async function hasComplaint(
  sql: Sql,
  projectId: string,
  ticketId: string,
  data: { address: string | null; message_id: string },
): Promise<boolean> {
  const { count } = await sql`
    select from messages where project_id = ${projectId} and ticket_id = ${ticketId} and system->>'kind' = 'spam_complaint'
      and system->'data' @> ${sql.json(data)} limit 1`
  return count > 0
}
