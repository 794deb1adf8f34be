import { anyId, type Sql } from '../../../core/db/db.ts'
import type { HeaderField } from '../../../mail/mail.ts'
import { isAutomaticIn } from '../../../messages/messages.ts'
import type { StoredEmail } from '../../../messages/schema.ts'

/** What an email is built from. */

export interface WrittenContent {
  sender_name: string | null
  content: string
  content_html: string | null
  content_format: 'text' | 'markdown' | 'html'
}

export interface MessageFacts extends WrittenContent {
  id: string
  ticket_id: string
  sender_type: string
  system: { kind: string } | null
  email: StoredEmail
  created_at: string
  ticket_subject: string | null
  project_name: string
  color: string | null
  language: string
  /** The first of these that is not empty: of the operator, the ticket's department, the mailbox. */
  signature: string
}

export async function findMessageFacts(
  sql: Sql,
  projectId: string,
  messageId: string,
  mailboxId: string,
): Promise<MessageFacts | null> {
  const [row] = await sql<MessageFacts[]>`
    select m.id, m.ticket_id, m.sender_type, m.sender_name, m.content, m.content_html, m.content_format, m.email, m.system,
      m.created_at, t.subject as ticket_subject, p.name as project_name, p.color,
      coalesce(t.language, p.default_locale) as language,
      coalesce(nullif(o.signature, ''), nullif(d.signature, ''), b.signature, '') as signature
    from messages m
      join tickets t on t.project_id = ${projectId} and t.id = m.ticket_id
      join projects p on p.id = ${projectId}
      left join operators o on o.project_id = ${projectId} and o.id = m.sender_id and m.sender_type = 'operator'
      left join departments d on d.project_id = ${projectId} and d.id = t.department_id
      left join mailboxes b on b.project_id = ${projectId} and b.id = ${mailboxId}
    where m.project_id = ${projectId} and m.id = ${messageId}`
  return row ?? null
}

interface SentWith extends WrittenContent {
  id: string
}

export interface EarlierMessage extends WrittenContent {
  id: string
  email: StoredEmail | null
  created_at: string
}

/** The messages whose text is in the email of this one, oldest first. */
export const listSentWith = (sql: Sql, projectId: string, messageId: string) => sql<SentWith[]>`
  select m.id, m.sender_name, m.content, m.content_html, m.content_format
  from unread_replies u join messages m on m.project_id = ${projectId} and m.id = u.message_id
  where u.project_id = ${projectId} and u.sent_with = ${messageId} and m.deleted_at is null
  order by m.created_at, m.id`

/**
 * The public messages from people before this one, newest first. Leaves out those whose text is in the same email. Stops after `maxBytes`,
 * because a ticket may have many large emails.
 */
export const listEarlier = (
  sql: Sql,
  projectId: string,
  { id, ticket_id, created_at }: Pick<MessageFacts, 'id' | 'ticket_id' | 'created_at'>,
  { limit, maxBytes }: { limit: number; maxBytes: number },
) => sql<EarlierMessage[]>`
  select id, sender_name, content, content_html, content_format, email, created_at from (
    select id, sender_name, content, content_html, content_format, email, created_at,
      octet_length(content) + coalesce(octet_length(content_html), 0) as bytes,
      sum(octet_length(content) + coalesce(octet_length(content_html), 0)) over (order by created_at desc, id desc) as total
    from messages
    where project_id = ${projectId} and ticket_id = ${ticket_id} and not is_internal and sender_type <> 'system'
      and not ${isAutomaticIn(sql)} and delivery_status <> 'scheduled' and deleted_at is null and created_at < ${`${created_at}Z`}::timestamptz
      and id <> all(array(select message_id from unread_replies where project_id = ${projectId} and sent_with = ${id}))
    order by created_at desc, id desc limit ${limit}) m
  where total - bytes < ${maxBytes}::bigint order by created_at desc, id desc`

export interface FileFacts {
  id: string
  message_id: string
  filename: string
  content_type: string
  size: number
  bucket_id: string | null
  storage_key: string
}

/** A forwarded message. */
export interface ForwardedFacts extends EarlierMessage {
  ticket_subject: string | null
}

export async function findForwardedFacts(
  sql: Sql,
  projectId: string,
  id: string,
): Promise<ForwardedFacts | null> {
  const [row] = await sql<ForwardedFacts[]>`
    select m.id, m.sender_name, m.content, m.content_html, m.content_format, m.email, m.created_at, t.subject as ticket_subject
    from messages m join tickets t on t.project_id = ${projectId} and t.id = m.ticket_id
    where m.project_id = ${projectId} and m.id = ${id} and m.deleted_at is null`
  return row ?? null
}

export const listFilesByIds = (sql: Sql, projectId: string, ids: string[]) => sql<FileFacts[]>`
  select id, message_id, filename, content_type, size::float8 as size, bucket_id, storage_key from media
  where project_id = ${projectId} and id = ${anyId(sql, ids)} order by position`

/** The files of these messages, in their order. */
export const listFiles = (sql: Sql, projectId: string, messageIds: string[]) => sql<FileFacts[]>`
  select id, message_id, filename, content_type, size::float8 as size, bucket_id, storage_key from media
  where project_id = ${projectId} and message_id = any(${messageIds}::uuid[])
  order by array_position(${messageIds}::uuid[], message_id), position`

/** The headers of a received email. */
export async function listHeaderFields(
  sql: Sql,
  projectId: string,
  messageId: string,
): Promise<HeaderField[]> {
  const [row] = await sql<{ headers: HeaderField[] }[]>`
    select headers from mail_details where project_id = ${projectId} and message_id = ${messageId}`
  return row?.headers ?? []
}
