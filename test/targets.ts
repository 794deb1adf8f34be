import type { Sql } from '../src/core/db/db.ts'
import type { DueSubject } from '../src/core/due/due-work.ts'
import type { TargetBacklog } from '../src/webhooks/find-backlog.ts'

/** Every subscription, as it appears in due_work. */
export const listTargets = async (sql: Sql): Promise<DueSubject[]> => [
  ...(await sql<DueSubject[]>`select project_id, id as subject_id from webhooks order by id`),
]

/** The targets with due deliveries that no process has claimed. */
export const behindOf = (seen: readonly TargetBacklog[]) =>
  seen.flatMap(({ project_id, webhook_id, since }) =>
    since === null ? [] : [{ project_id, webhook_id, since }],
  )
