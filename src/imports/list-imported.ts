import type { Sql } from '../core/db/db.ts'

/** A message that was imported before. */
export interface ImportedBefore {
  source_id: string
  /** The `source_id` of its ticket; null if it was moved to a ticket that is not from the import. */
  ticket: string | null
}

/** Returns those of the messages that were imported before. */
export const listImportedMessages = (sql: Sql, projectId: string, source: string, ids: string[]) => sql<
  ImportedBefore[]
>`
  select r.source_id, t.source_id as ticket from imported_records r
  left join messages m on m.project_id = ${projectId} and m.id = r.record_id
  left join imported_records t on t.project_id = ${projectId} and t.record_id = m.ticket_id
    and t.source = ${source} and t.kind = 'ticket'
  where r.project_id = ${projectId} and r.source = ${source} and r.kind = 'message' and r.source_id = any(${ids}::text[])`
