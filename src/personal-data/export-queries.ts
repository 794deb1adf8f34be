import { anyId, type Fragment, type Sql } from '../core/db/db.ts'

/** What the export of a contact reads, besides rows of the tables of a project's export. */

export interface TicketToExport {
  id: string
  number: number
  subject: string
  created_at: string
}

/** The tickets of the contacts after an id. */
export const listTicketsToExport = (
  sql: Sql,
  projectId: string,
  contactIds: string[],
  after: string,
  limit: number,
) => sql<TicketToExport[]>`
  select id, number, subject, created_at from tickets
  where project_id = ${projectId} and contact_id = ${anyId(sql, contactIds)} and id > ${after} order by id limit ${limit}`

/** Messages that the contacts have written in tickets of others. */
export const isWrittenElsewhere = (sql: Sql, projectId: string, contactIds: string[]): Fragment => sql`
  and r.sender_type = 'contact' and r.sender_id = ${anyId(sql, contactIds)} and r.ticket_id not in (
    select t.id from tickets t where t.project_id = ${projectId} and t.contact_id = ${anyId(sql, contactIds)})`

export interface PageMessage {
  id: string
  sender_type: string
  sender_name: string | null
  content: string
  content_html: string | null
  is_internal: boolean
  created_at: string
  files: { id: string; filename: string }[]
}

/** The next messages of a ticket, with their files. */
export const listMessagesToExport = (
  sql: Sql,
  projectId: string,
  ticketId: string,
  after: { created_at: string; id: string },
  limit: number,
) => sql<PageMessage[]>`
  select m.id, m.sender_type, m.sender_name, m.content, m.content_html, m.is_internal, m.created_at,
    (select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'filename', f.filename) order by f.position), '[]') from media f
      where f.project_id = ${projectId} and f.message_id = m.id and f.storage_key <> '') as files
  from messages m
  where m.project_id = ${projectId} and m.ticket_id = ${ticketId} and m.deleted_at is null
    and (m.created_at, m.id) > (${after.created_at}::timestamptz, ${after.id}::uuid)
  order by m.created_at, m.id limit ${limit}`

export interface FileToExport {
  id: string
  filename: string
  storage_key: string
  bucket_id: string | null
}

/** The files and the original emails of a ticket. */
export const listFilesToExport = (
  sql: Sql,
  projectId: string,
  ticketId: string,
  after: string,
  limit: number,
) => sql<FileToExport[]>`
  select f.id, f.filename, f.storage_key, f.bucket_id from messages m
  join media f on f.project_id = ${projectId} and f.message_id = m.id and f.id > ${after} and f.storage_key <> ''
  where m.project_id = ${projectId} and m.ticket_id = ${ticketId}
  union all
  select i.id, 'mail.eml', i.storage_key, i.bucket_id from messages m
  join incoming_mails i on i.project_id = ${projectId} and i.message_id = m.id and i.id > ${after} and i.storage_key <> ''
  where m.project_id = ${projectId} and m.ticket_id = ${ticketId}
  order by id limit ${limit}`

/** Rows about the person that belong to no ticket. */
export async function findPersonRecords(
  sql: Sql,
  projectId: string,
  contactIds: string[],
): Promise<Record<string, unknown>> {
  const [row] = await sql<{ records: Record<string, unknown> }[]>`
    select jsonb_build_object(
      'visitor_sessions', (select coalesce(jsonb_agg(to_jsonb(v) - array['project_id', 'token_hash']), '[]') from visitors v
        where v.project_id = ${projectId} and v.contact_id = ${anyId(sql, contactIds)}),
      'telegram_chats', (select coalesce(jsonb_agg(to_jsonb(c) - array['project_id', 'lease_id', 'lease_until']), '[]')
        from telegram_chats c where c.project_id = ${projectId} and c.contact_id = ${anyId(sql, contactIds)})) as records`
  return row!.records
}
