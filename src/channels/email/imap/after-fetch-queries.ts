import { anyId, type Sql } from '../../../core/db/db.ts'

/** Emails that are due to be marked, moved or deleted on the server. */
export const listAfterFetchDue = (
  sql: Sql,
  projectId: string,
  mailboxId: string,
  { path, uidValidity }: { path: string; uidValidity: number },
) => sql<{ id: string; uid: number }[]>`
  select id, uid from incoming_mails
  where project_id = ${projectId} and mailbox_id = ${mailboxId} and after_fetch_due <= now()
    and folder = ${path} and uid_validity = ${uidValidity}
  order by uid limit 500`

export const updateAfterFetchDone = (sql: Sql, projectId: string, ids: string[]) => sql`
  update incoming_mails set after_fetch_due = null where project_id = ${projectId} and id = ${anyId(sql, ids)}`
