import { anyId, type Sql } from '../core/db/db.ts'

/**
 * Locks the activity of tickets. Every change of a ticket and every message takes this lock, before the project's counter. So
 * nothing else can be posted to the ticket while it is held.
 */
export const lockActivities = (sql: Sql, projectId: string, ids: string[]) => sql<
  { id: string; is_open: boolean }[]
>`
  select ticket_id as id, status <> 'closed' as is_open from ticket_activity
  where project_id = ${projectId} and ticket_id = ${anyId(sql, ids)} order by ticket_id for no key update`
