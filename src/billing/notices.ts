import type { Db, Sql } from '../core/db.ts'
import type { Mailer } from '../core/mail.ts'
import { type Hundredths, showMoney, toNumber } from './money.ts'

/** Owners are told 7, 3 and 1 days before a renewal that the balance does not cover. */

/** What the next renewal lacks; null while the balance covers it. */
export async function findShortfall(sql: Sql, projectId: string): Promise<number | null> {
  const [row] = await sql<{ shortfall: Hundredths }[]>`
    select shortfall from uncovered_renewals where project_id = ${projectId}`
  return row ? toNumber(row.shortfall) : null
}

/** Writes down each renewal that has come a step nearer; after a downtime only the last step counts. */
export async function findNotices(db: Db): Promise<number> {
  const { count } = await db`
    insert into renewal_notices (project_id, expires_at, days)
    select project_id, expires_at, case
        when expires_at <= now() + interval '1 day' then 1
        when expires_at <= now() + interval '3 days' then 3
        else 7 end
    from uncovered_renewals where expires_at <= now() + interval '7 days'
    on conflict do nothing`
  return count
}

interface Notice {
  project_id: string
  project: string
  days: number
  expires_at: string
  plan: string
  price: Hundredths
  currency: string
  balance: Hundredths
  shortfall: Hundredths
  owners: string[]
}

/** Takes one that is still true, under a lease: what was paid meanwhile, or came a step nearer, is told no more. */
async function claimNotice(db: Db): Promise<Notice | null> {
  const [notice] = await db<Notice[]>`
    with due as (
      select n.project_id, n.expires_at, n.days from renewal_notices n
      where n.mailed_at is null and (n.lease_until is null or n.lease_until < now())
        and exists (select from uncovered_renewals u where u.project_id = n.project_id and u.expires_at = n.expires_at)
        and exists (select from operators o where o.project_id = n.project_id and o.role = 'owner' and o.removed_at is null)
        and not exists (select from renewal_notices m
          where m.project_id = n.project_id and m.expires_at = n.expires_at and m.days < n.days)
      order by n.found_at limit 1 for update skip locked
    ), claimed as (
      update renewal_notices n set lease_until = now() + interval '5 minutes' from due
      where n.project_id = due.project_id and n.expires_at = due.expires_at and n.days = due.days
      returning n.project_id, n.expires_at, n.days
    )
    select c.*, p.name as project, u.plan, u.price, u.currency, u.balance, u.shortfall, array(
      select email from operators o where o.project_id = c.project_id and o.role = 'owner' and o.removed_at is null order by email) as owners
    from claimed c join projects p on p.id = c.project_id
    join uncovered_renewals u on u.project_id = c.project_id and u.expires_at = c.expires_at`
  return notice ?? null
}

const endNotice = (db: Db, { project_id, expires_at, days }: Notice, isSent: boolean) => db`
  update renewal_notices set mailed_at = ${isSent ? db`now()` : db`null`},
    lease_until = ${isSent ? db`null` : db`now() + interval '1 minute'`}
  where project_id = ${project_id} and expires_at = ${`${expires_at}Z`} and days = ${days}`

function describeNotice(notice: Notice, publicUrl: string): string {
  const { project, plan, currency, expires_at } = notice
  const [price, balance, shortfall] = [notice.price, notice.balance, notice.shortfall].map(amount =>
    showMoney(amount, currency),
  )
  return `The plan of "${project}" ends on ${expires_at.slice(0, 16).replace('T', ' at ')} UTC.

Plan "${plan}" costs ${price} then, and the balance is ${balance}: ${shortfall} are missing.
Without them the project goes to the entry plan at that time. Please top up the balance before.

${publicUrl}
`
}

/** Mails one warning to the owners of its project. One that could not be sent is tried again a minute later. */
export async function mailNotices(db: Db, mailer: Mailer | null, publicUrl: string): Promise<number> {
  const notice = mailer && (await claimNotice(db))
  if (!notice) return 0
  const { project_id, project, days, expires_at, owners } = notice
  const id = `renewal.${project_id}.${Date.parse(`${expires_at}Z`)}.${days}`
  const when = days === 1 ? 'tomorrow' : `in ${days} days`
  const subject = `${project}: the balance does not cover the renewal ${when}`
  try {
    await mailer.send({ id, to: owners, subject, text: describeNotice(notice, publicUrl) })
  } catch (error) {
    await endNotice(db, notice, false)
    throw error
  }
  await endNotice(db, notice, true)
  return 1
}
