import type { Sql } from '../../../core/db.ts'
import type { HeaderField } from '../../../mail/mail.ts'
import type { StoredEmail } from '../../../messages/schema.ts'

/** What an email is built from. */

export interface MessageFacts {
  ticket_id: string
  sender_type: string
  sender_name: string | null
  content: string
  content_html: string | null
  content_format: 'text' | 'markdown' | 'html'
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
    select m.ticket_id, m.sender_type, m.sender_name, m.content, m.content_html, m.content_format, m.email, m.created_at,
      t.subject as ticket_subject, p.name as project_name, p.color, p.default_locale as language,
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

export interface EarlierMessage {
  sender_name: string | null
  content: string
  content_html: string | null
  content_format: 'text' | 'markdown' | 'html'
  email: StoredEmail | null
  created_at: string
}

/** The public messages before this one, newest first. */
export const listEarlier = (
  sql: Sql,
  projectId: string,
  { ticket_id, created_at }: Pick<MessageFacts, 'ticket_id' | 'created_at'>,
  limit: number,
) => sql<EarlierMessage[]>`
  select sender_name, content, content_html, content_format, email, created_at from messages
  where project_id = ${projectId} and ticket_id = ${ticket_id} and not is_internal and sender_type <> 'system'
    and delivery_status <> 'scheduled' and deleted_at is null and created_at < ${`${created_at}Z`}::timestamptz
  order by created_at desc, id desc limit ${limit}`

export interface FileFacts {
  id: string
  filename: string
  content_type: string
  size: number
  bucket_id: string | null
  storage_key: string
}

export const listFiles = (sql: Sql, projectId: string, messageId: string) => sql<FileFacts[]>`
  select id, filename, content_type, size::float8 as size, bucket_id, storage_key from media
  where project_id = ${projectId} and message_id = ${messageId} order by position`

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
