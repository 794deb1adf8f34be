import type { Sql } from '../core/db/db.ts'

/** Statements that write the email details of imported messages, many at once. */

export interface MailDetailsRow {
  message_id: string
  headers: object
  quoted_text: string
  quoted_html: string | null
}

export const insertImportedDetails = (sql: Sql, projectId: string, rows: MailDetailsRow[]) => sql`
  insert into mail_details (project_id, message_id, headers, quoted_text, quoted_html)
  select ${projectId}::uuid, r.message_id, r.headers, r.quoted_text, r.quoted_html
  from json_populate_recordset(null::mail_details, ${JSON.stringify(rows)}::text::json) r`

export interface ImportedRecipientRow {
  message_id: string
  address: string
  name: string | null
  kind: string
  status: string
  code: string | null
  words: string | null
  updated_at: string
}

export const insertImportedRecipients = (sql: Sql, projectId: string, rows: ImportedRecipientRow[]) => sql`
  insert into mail_recipients (project_id, message_id, address, name, kind, status, code, words, updated_at)
  select ${projectId}::uuid, r.message_id, r.address, r.name, r.kind, r.status, r.code, r.words, r.updated_at
  from json_populate_recordset(null::mail_recipients, ${JSON.stringify(rows)}::text::json) r
  on conflict do nothing`
