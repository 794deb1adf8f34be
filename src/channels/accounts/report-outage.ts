import type { Db, Fragment, Sql } from '../../core/db/db.ts'
import {
  mailOutage,
  type OutageMail,
  type OutageProject,
  type OutageSender,
} from '../../operators/operators.ts'

/** Emails admins about mailboxes, bots and custom channels that do not work. */

interface DueOutage extends OutageProject {
  id: string
}

export interface OutageKind<R> {
  table: string
  /** The column with the time of the next report: null while there is no outage, infinity after the email was sent. */
  timeColumn: string
  /** Which accounts `a` to report. */
  isDue(sql: Sql): Fragment
  /** Further columns of the report, from the account `a`. */
  columns(sql: Sql): Fragment
  describe(report: R): OutageMail
}

/** Claims one report. If it cannot be sent, it is due again 10 minutes later. */
async function claimOutageReport<R extends DueOutage>(
  db: Db,
  { table, timeColumn, isDue, columns }: OutageKind<R>,
): Promise<R | null> {
  const [report] = await db<R[]>`
    with due as (
      select a.project_id, a.id from ${db(table)} a where a.project_id is not null and ${isDue(db)}
      order by a.${db(timeColumn)} limit 1 for no key update skip locked
    ), a as (
      update ${db(table)} o set ${db(timeColumn)} = now() + interval '10 minutes'
      from due where o.project_id = due.project_id and o.id = due.id returning o.*
    )
    select a.project_id, a.id, p.name as project, p.color, p.default_locale as locale, ${columns(db)}
    from a join projects p on p.id = a.project_id and p.deleting_since is null`
  return report ?? null
}

/** An account that works again, or was changed since, has no report time and must not get one. */
const updateOutageReported = (sql: Sql, table: string, column: string, { project_id, id }: DueOutage) => sql`
  update ${sql(table)} set ${sql(column)} = 'infinity'
  where project_id = ${project_id} and id = ${id} and ${sql(column)} is not null`

/** Emails the admins of one project about one account. */
export async function reportOutageOf<R extends DueOutage>(
  db: Db,
  sender: OutageSender | null,
  kind: OutageKind<R>,
): Promise<number> {
  const report = sender && (await claimOutageReport(db, kind))
  if (!report) return 0
  await mailOutage(db, sender, report, kind.describe(report))
  await updateOutageReported(db, kind.table, kind.timeColumn, report)
  return 1
}
