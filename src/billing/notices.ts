import type { Db, Sql } from '../core/db/db.ts'
import { type Hundredths, toNumber } from './money.ts'

/** Notifies owners 7, 3 and 1 days before a renewal that the balance does not cover. */

/** The amount missing for the next renewal; null if the balance covers it. */
export async function findShortfall(sql: Sql, projectId: string): Promise<number | null> {
  const [row] = await sql<{ shortfall: Hundredths }[]>`
    select shortfall from uncovered_renewals where project_id = ${projectId}`
  return row ? toNumber(row.shortfall) : null
}

/**
 * Records each renewal that has reached its next step (7, 3 or 1 days), with a mail to each owner. After a downtime, only the
 * latest step counts. A queued mail of an earlier step is not sent. A step that an earlier version recorded but did not send is sent.
 */
export async function findNotices(db: Db): Promise<number> {
  const { count } = await db`
    with noted as (
      insert into renewal_notices as n (project_id, expires_at, days, mailed_at)
      select project_id, expires_at, case
          when expires_at <= now() + interval '1 day' then 1
          when expires_at <= now() + interval '3 days' then 3
          else 7 end, now()
      from uncovered_renewals u where expires_at <= now() + interval '7 days'
        and exists (select from operators o where o.project_id = u.project_id and o.role = 'owner' and o.removed_at is null)
      on conflict (project_id, expires_at, days) do update set mailed_at = now()
        where n.mailed_at is null and (n.lease_until is null or n.lease_until < now())
      returning project_id
    ), outdated as (
      delete from billing_mails m using noted where m.project_id = noted.project_id and m.kind = 'renewal'
    )
    insert into billing_mails (project_id, operator_id, kind)
    select o.project_id, o.id, 'renewal' from noted join operators o using (project_id)
    where o.role = 'owner' and o.removed_at is null`
  return count
}
