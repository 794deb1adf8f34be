import type { Sql } from '../../../core/db/db.ts'
import type { Tx } from '../../../events/transaction.ts'
import type { MessageEmail } from '../../../messages/schema.ts'

/** Outgoing emails and their recipients. */

export interface NewRecipient {
  address: string
  kind: 'to' | 'cc' | 'bcc'
}

/** With the names of those who are contacts. */
export const insertRecipients = (sql: Sql, projectId: string, messageId: string, list: NewRecipient[]) => sql`
  insert into mail_recipients (project_id, message_id, address, kind, name)
  select ${projectId}, ${messageId}, given.address, given.kind, nullif(c.full_name, '')
  from unnest(${list.map(one => one.address)}::text[], ${list.map(one => one.kind)}::text[])
      as given (address, kind)
    left join contact_identities i on i.project_id = ${projectId} and i.type = 'email' and i.value = given.address
    left join contacts c on c.project_id = ${projectId} and c.id = i.contact_id
  on conflict do nothing`

export const insertOutgoingEmail = (sql: Sql, projectId: string, messageId: string, mailboxId: string) => sql`
  insert into outgoing_emails (project_id, message_id, mailbox_id)
  values (${projectId}, ${messageId}, ${mailboxId}) on conflict do nothing`

/** Its bytes are deleted later. */
export const deleteOutgoingEmail = (sql: Sql, projectId: string, messageId: string) => sql`
  delete from outgoing_emails where project_id = ${projectId} and message_id = ${messageId}`

/** Returns the message whose email contains this one; without such a message, this one. */
export async function findCarrier(sql: Sql, projectId: string, messageId: string): Promise<string> {
  const [row] = await sql<{ sent_with: string | null }[]>`
    select sent_with from unread_replies where project_id = ${projectId} and message_id = ${messageId}`
  return row?.sent_with ?? messageId
}

/** Separates a message from the one whose email contains it. */
export const deleteSentWith = (sql: Sql, projectId: string, messageId: string) => sql`
  delete from unread_replies where project_id = ${projectId} and message_id = ${messageId}`

export type RecipientStatus = 'pending' | 'sent' | 'delayed' | 'delivered' | 'read' | 'failed'

export interface RecipientRow {
  address: string
  name: string | null
  kind: 'to' | 'cc' | 'bcc'
  status: RecipientStatus
  code: string | null
  words: string | null
}

export const listRecipientRows = (sql: Sql, projectId: string, messageId: string) => sql<RecipientRow[]>`
  select address, name, kind, status, code, words from mail_recipients
  where project_id = ${projectId} and message_id = ${messageId} order by kind desc, address`

export type RecipientResult = Pick<RecipientRow, 'address' | 'status' | 'code' | 'words'>

/** Records results of recipients that are still pending, and returns these. Reports may have been faster than the server's answer. */
export const updateRecipients = (
  sql: Sql,
  projectId: string,
  messageId: string,
  results: RecipientResult[],
) => sql<RecipientResult[]>`
  update mail_recipients r set status = given.status, code = given.code, words = given.words, updated_at = now()
  from unnest(${results.map(one => one.address)}::text[], ${results.map(one => one.status)}::text[],
      ${results.map(one => one.code)}::text[], ${results.map(one => one.words)}::text[])
    as given (address, status, code, words)
  where r.project_id = ${projectId} and r.message_id = ${messageId} and r.address = given.address
    and r.status = 'pending'
  returning r.address, r.status, r.code, r.words`

export interface SentMessage {
  id: string
  ticket_id: string
  /** Who is assigned to the ticket. */
  operator_id: string | null
  /** The error of its delivery. */
  error: string | null
  is_deleted: boolean
}

/** Locks a sent message. */
export async function lockSentMessage(sql: Sql, projectId: string, id: string): Promise<SentMessage | null> {
  const [row] = await sql<SentMessage[]>`
    select m.id, m.ticket_id, t.operator_id, m.delivery_error as error, m.deleted_at is not null as is_deleted
    from messages m join tickets t on t.project_id = ${projectId} and t.id = m.ticket_id
    where m.project_id = ${projectId} and m.id = ${id} for no key update of m`
  return row ?? null
}

/** Makes failed recipients pending again. */
export const updateRecipientsRetried = (sql: Sql, projectId: string, messageId: string) => sql`
  update mail_recipients set status = 'pending', code = null, words = null, updated_at = now()
  where project_id = ${projectId} and message_id = ${messageId} and status = 'failed'`

export const deleteRecipients = (sql: Sql, projectId: string, messageId: string) => sql`
  delete from mail_recipients where project_id = ${projectId} and message_id = ${messageId}`

/** The recipients for whom a server has accepted the email. */
export async function countAccepted(sql: Sql, projectId: string, messageId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from mail_recipients
    where project_id = ${projectId} and message_id = ${messageId} and status not in ('pending', 'failed')`
  return row!.count
}

/** An email to send. */
export interface OutgoingRow {
  message_id: string
  ticket_id: string
  email: MessageEmail | null
  /** Whether the message was deleted. */
  is_deleted: boolean
  storage_key: string
  bucket_id: string | null
  size: number | null
  /** Null if the mailbox was deleted. */
  mailbox_id: string | null
}

export async function findOutgoing(
  sql: Sql,
  projectId: string,
  messageId: string,
): Promise<OutgoingRow | null> {
  const [row] = await sql<OutgoingRow[]>`
    select m.id as message_id, m.ticket_id, m.email, m.deleted_at is not null as is_deleted, o.storage_key,
      o.bucket_id, o.size::float8 as size, o.mailbox_id
    from outgoing_emails o join messages m on m.project_id = ${projectId} and m.id = o.message_id
    where o.project_id = ${projectId} and o.message_id = ${messageId}`
  return row ?? null
}

/** Removes the reference to an email's bytes, so that it is built again. The bytes are deleted later. */
export async function deleteBuiltEmail(tx: Tx, messageId: string): Promise<void> {
  const rows = await tx<{ mailbox_id: string | null; sent_at: string | null }[]>`
    delete from outgoing_emails where project_id = ${tx.projectId} and message_id = ${messageId} and storage_key <> ''
    returning mailbox_id, sent_at`
  for (const { mailbox_id, sent_at } of rows)
    await tx`
      insert into outgoing_emails (project_id, message_id, mailbox_id, sent_at)
      values (${tx.projectId}, ${messageId}, ${mailbox_id}, ${sent_at})`
}

/** Records where the bytes are. Returns false if they are stored already. */
export async function updateBuilt(
  sql: Sql,
  projectId: string,
  messageId: string,
  { storage_key, bucket_id, size }: { storage_key: string; bucket_id: string | null; size: number },
): Promise<boolean> {
  const { count } = await sql`
    update outgoing_emails set storage_key = ${storage_key}, bucket_id = ${bucket_id}, size = ${size}
    where project_id = ${projectId} and message_id = ${messageId} and storage_key = ''`
  return count > 0
}

export interface SentCopy {
  project_id: string
  message_id: string
  /** Null if the mailbox was deleted. */
  mailbox_id: string | null
}

/** `hasCopy`: whether a copy must be stored in Sent. */
export const updateSentAt = (sql: Sql, projectId: string, messageId: string, hasCopy: boolean) => sql`
  update outgoing_emails set sent_at = now(), save_at = ${hasCopy ? sql`now() + interval '10 minutes'` : null}
  where project_id = ${projectId} and message_id = ${messageId}`

/** Claims copies that are still missing in Sent. After a day, each is tried for the last time. */
export const lockDueCopies = (sql: Sql) => sql<SentCopy[]>`
  with due as (
    select project_id, message_id from outgoing_emails where project_id is not null and save_at <= now()
    order by save_at limit 100 for update skip locked
  )
  update outgoing_emails o
  set save_at = case when o.sent_at > now() - interval '1 day' then now() + interval '10 minutes' end
  from due where o.project_id = due.project_id and o.message_id = due.message_id
  returning o.project_id, o.message_id, o.mailbox_id`

export const updateSaved = (sql: Sql, projectId: string, messageId: string, isSaved: boolean) => sql`
  update outgoing_emails set is_saved = ${isSaved}, save_at = null
  where project_id = ${projectId} and message_id = ${messageId}`
