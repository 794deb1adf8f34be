import type { Db, Fragment, Sql } from '../db/db.ts'

/**
 * The table of due work. The transaction that makes work due also writes its row, and the row is never later than the work, so a
 * process that dies loses nothing. The row's lock is taken last, after the project's counter.
 */

export type DueKind =
  | 'deliveries'
  | 'messages'
  | 'snoozes'
  | 'presence'
  | 'statuses'
  | 'tags'
  | 'merges'
  | 'search'
  | 'facts'
  | 'histories'
  | 'exports'
  | 'imports'
  | 'data_deletions'
  | 'organizations'
  | 'renewals'
  | 'deletions'
  | 'mailboxes'
  | 'mails'
  | 'outgoing'
  | 'outgoing_telegram'
  | 'telegram_bots'
  | 'telegram_updates'
  | 'notices'
  | 'pushes'
  | 'digests'
  | 'unread_replies'

export interface DueSubject {
  project_id: string
  /** The subscription for deliveries, the mailbox, bot or chat for their work, otherwise the project. */
  subject_id: string
}

export interface DueRow extends DueSubject {
  kind: DueKind
  /** Milliseconds from now; negative if it is overdue. */
  wait: number
}

/**
 * Records the rows of a query (project_id, subject_id, due_at), unless an earlier time is recorded already. It locks the row even
 * if it does not change it, so that `postpone` waits and then sees the work.
 */
export const noteDueRows = (sql: Sql, kind: DueKind, rows: Fragment): Fragment =>
  sql`
  insert into due_work (project_id, kind, subject_id, due_at)
  select project_id, ${kind}, subject_id, min(due_at) from (${rows}) noted
  group by project_id, subject_id order by project_id, subject_id
  on conflict (project_id, kind, subject_id) do update set due_at = excluded.due_at
    where due_work.due_at > excluded.due_at`

/** Records work that is due at `dueAt`, or now. Its subject is the project by default. */
export const noteDue = (
  sql: Sql,
  projectId: string,
  kind: DueKind,
  dueAt: string | null = null,
  subjectId: string = projectId,
) =>
  noteDueRows(
    sql,
    kind,
    sql`select ${projectId}::uuid as project_id, ${subjectId}::uuid as subject_id,
      ${dueAt === null ? sql`now()` : sql`${dueAt}::timestamptz`} as due_at`,
  )

/** Work that is due now or within `ahead` milliseconds, oldest first, with at most `most` rows of each kind. */
export const listDue = (
  sql: Sql,
  kinds: readonly DueKind[],
  ahead: number,
  maxRows: number | null = null,
) => sql<DueRow[]>`
  select project_id, kind, subject_id, (extract(epoch from due_at - clock_timestamp()) * 1000)::float8 as wait
  from unnest(${kinds}::text[]) as asked (asked_kind) cross join lateral (
    select project_id, kind, subject_id, due_at from due_work
    where kind = asked_kind and due_at <= now() + ${ahead}::int * interval '1 millisecond'
    order by due_at limit ${maxRows}::int) found
  order by due_at`

/**
 * The next time something is due for `h`, as a value or null. `h` has project_id, subject_id and `since`: no waiting work is
 * older than `since`.
 */
export type NextDue = (sql: Sql) => Fragment

/** Waiting work of all projects: rows of project_id and due_at. */
export type WaitingWork = (sql: Sql) => Fragment

export interface DoneWork extends DueSubject {
  since?: string
}

const listed = (sql: Sql, done: readonly DoneWork[]): Fragment =>
  sql`unnest(${done.map(one => one.project_id)}::uuid[], ${done.map(one => one.subject_id)}::uuid[],
    ${done.map(one => one.since ?? '-infinity')}::timestamptz[]) as h (project_id, subject_id, since)`

/**
 * Postpones rows with no work left, or deletes them. It locks them before it looks for waiting work, so it sees earlier writes, and
 * later writes wait for the lock. A row that another transaction has locked stays due. Returns the milliseconds until the first of
 * the postponed rows is due, or infinity.
 */
export async function postpone(
  db: Db,
  kind: DueKind,
  done: readonly DoneWork[],
  next: NextDue,
): Promise<number> {
  if (done.length === 0) return Number.POSITIVE_INFINITY
  return db.begin(async sql => {
    // If this write is lost, a row is due too early and costs one more query, so there is no need to wait for the disk.
    await sql`select set_config('synchronous_commit', 'off', true)`
    const held = await sql<DoneWork[]>`
      select h.project_id, h.subject_id, h.since::text as since
      from due_work d join ${listed(sql, done)} on d.project_id = h.project_id and d.subject_id = h.subject_id
      where d.kind = ${kind} order by 1, 2 for update of d skip locked`
    if (held.length === 0) return Number.POSITIVE_INFINITY
    const postponed = await sql<{ wait: number }[]>`
      with next as materialized (
        select h.project_id, h.subject_id, ${next(sql)} as due_at from ${listed(sql, held)}
      ), ended as (
        delete from due_work d using next n
        where d.project_id = n.project_id and d.kind = ${kind} and d.subject_id = n.subject_id and n.due_at is null
      )
      update due_work d set due_at = n.due_at from next n
      where d.project_id = n.project_id and d.kind = ${kind} and d.subject_id = n.subject_id
        and n.due_at is not null and (n.due_at > now() or n.due_at < d.due_at)
      returning (extract(epoch from n.due_at - clock_timestamp()) * 1000)::float8 as wait`
    return Math.min(...postponed.map(({ wait }) => wait))
  })
}

/**
 * Adds waiting work that the table lacks, such as work from processes that still run a version without this table. `waiting` has
 * rows of kind, project_id, subject_id and due_at. Returns the number of rows added.
 */
export async function noteMissing(sql: Sql, waiting: Fragment): Promise<number> {
  const { count } = await sql`
    with w as materialized (${waiting})
    insert into due_work (project_id, kind, subject_id, due_at)
    select w.project_id, w.kind, w.subject_id, min(w.due_at) as due_at
    from w
      left join due_work d on d.project_id = w.project_id and d.kind = w.kind and d.subject_id = w.subject_id
    where w.due_at is not null and (d.due_at is null or d.due_at > w.due_at)
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (project_id, kind, subject_id) do update set due_at = excluded.due_at
      where due_work.due_at > excluded.due_at`
  return count
}
