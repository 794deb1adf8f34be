import type { Sql } from '../src/core/db.ts'
import type { DueSubject } from '../src/core/due-work.ts'
import type { TargetBacklog } from '../src/webhooks/find-backlog.ts'

/** Every subscription, as rows of due_work name them. */
export const listTargets = async (sql: Sql): Promise<DueSubject[]> => [
  ...(await sql<DueSubject[]>`select project_id, id as subject_id from webhooks order by id`),
]

/** Those of a look that have something due that nobody has in hand. */
export const behindOf = (seen: readonly TargetBacklog[]) =>
  seen.flatMap(({ project_id, webhook_id, since }) =>
    since === null ? [] : [{ project_id, webhook_id, since }],
  )
