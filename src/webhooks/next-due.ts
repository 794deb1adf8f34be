import type { Db, Fragment, Sql } from '../core/db/db.ts'
import {
  type DueRow,
  type DueSubject,
  listDue,
  type NextDue,
  noteMissing,
  postpone,
} from '../core/due/due-work.ts'
import { dueBy, isUnclaimed, queuedTargets } from './queries.ts'

/** The rows of due_work for deliveries: which subscriptions have something to do, and when. */

/** More deliveries than can be leased for one target at once. Retries sort after due deliveries, and no process holds them. */
const headSize = 64

/** When the first delivery of `h` is due or its lease ends. For a deleted subscription with deliveries left, this is now. */
const nextOfTarget: NextDue = sql =>
  sql`
  least((
    select min(case when not ${isUnclaimed(sql)} then q.lease_until
      when q.run_at <= ${dueBy(sql)} then least(q.run_at, now()) else q.run_at end)
    from (
      select run_at, lease_until, project_id, webhook_id from webhook_queue
      where webhook_id = h.subject_id and project_id is not distinct from h.project_id and run_at >= h.since
      order by run_at limit ${headSize}) q
      left join webhooks w on w.project_id = q.project_id and w.id = q.webhook_id
  ), (
    select now() from webhooks w
    where w.project_id = h.project_id and w.id = h.subject_id and w.deleted_at is not null
      and (exists (select from webhook_queue q where q.project_id = w.project_id and q.webhook_id = w.id)
        or exists (select from webhook_deliveries d where d.project_id = w.project_id and d.webhook_id = w.id))))`

const allWaiting = (sql: Sql): Fragment =>
  sql`
  with recursive ${queuedTargets(sql)}
  select 'deliveries' as kind, h.project_id, h.subject_id, ${nextOfTarget(sql)} as due_at from (
    select project_id, webhook_id as subject_id, '-infinity'::timestamptz as since from queued
    union select project_id, id, '-infinity' from webhooks where deleted_at is not null) h`

export const noteMissingDeliveries = (sql: Sql): Promise<number> => noteMissing(sql, allWaiting(sql))

export const listDueTargets = (sql: Sql, ahead: number): Promise<DueRow[]> =>
  listDue(sql, ['deliveries'], ahead)

export const postponeTargets = (db: Db, done: readonly (DueSubject & { since: string })[]): Promise<number> =>
  postpone(db, 'deliveries', done, nextOfTarget)
