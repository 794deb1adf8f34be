import type { Sql } from '../../../core/db/db.ts'

/** Deletes a mailbox and the signing keys that no other mailbox needs. */

export const deleteMailboxRow = (sql: Sql, projectId: string, id: string) => sql`
  delete from mailboxes where project_id = ${projectId} and id = ${id}`

/** Deletes the keys of domains at which the project has no mailbox left. */
export const deleteUnusedKeys = (sql: Sql, projectId: string) => sql`
  delete from dkim_keys k
  where k.project_id = ${projectId} and not exists (
    select from mailboxes m where m.project_id = ${projectId} and split_part(m.address, '@', -1) = k.domain)`
