import type { Db } from '../../../core/db/db.ts'
import { newId } from '../../../core/ids.ts'

/** Notices for one operator about one ticket, which become one email. */
export interface ClaimedNotices {
  project_id: string
  operator_id: string
  ticket_id: string
  email_id: string
  ids: string[]
  has_mention: boolean
}

/**
 * Claims all notices for an operator and a ticket if one of them is due. They keep their `email_id`, and later notices become another
 * email. Notices that still exist after the lease are due again. The lease grows with their age.
 */
export async function claimNotices(db: Db, projectId: string): Promise<ClaimedNotices | null> {
  const [claimed] = await db<ClaimedNotices[]>`
    with first as (
      select operator_id, ticket_id, email_id from operator_notices
      where project_id = ${projectId} and due_at <= now() order by due_at limit 1
    ), held as (
      select n.id from operator_notices n
      join first f on f.operator_id = n.operator_id and f.ticket_id = n.ticket_id and f.email_id is not distinct from n.email_id
      where n.project_id = ${projectId} and (n.email_id is null or n.due_at <= now())
      order by n.id for no key update of n
    ), claimed as (
      update operator_notices n set email_id = coalesce(n.email_id, ${newId()}),
        due_at = now() + greatest(now() - n.created_at, interval '5 minutes')
      from held where n.project_id = ${projectId} and n.id = held.id returning n.*
    )
    select project_id, operator_id, ticket_id, email_id, array_agg(id) as ids, bool_or(kind = 'mentioned') as has_mention
    from claimed group by 1, 2, 3, 4`
  return claimed ?? null
}
