import { anyId, type Fragment, type Sql } from '../core/db/db.ts'

/**
 * The kinds of records that are read by `updated_at`, by programs or for the search, and the statements that write the time of a change to
 * them. The CTE `stamp` has the time as `at`. The time of a record never goes back, even if it came from a clock that was ahead.
 */

type Stamp = (sql: Sql, projectId: string, ids: string[]) => Fragment

const after = (sql: Sql, before: Fragment): Fragment =>
  sql`greatest(stamp.at, ${before} + interval '1 microsecond')`

/** A placeholder for the time of a row until the log is written. */
export const unstamped = 'infinity'

export const stamps = {
  ticket: (sql, projectId, ids) =>
    sql`
    update ticket_activity a set updated_at = ${after(sql, sql`a.updated_at`)} from stamp
    where a.project_id = ${projectId} and a.ticket_id = ${anyId(sql, ids)}`,
  contact: (sql, projectId, ids) =>
    sql`
    update contacts c set updated_at = ${after(sql, sql`c.updated_at`)} from stamp
    where c.project_id = ${projectId} and c.id = ${anyId(sql, ids)}`,
  'new contact': (sql, projectId, ids) =>
    sql`
    update contacts c set created_at = stamp.at, updated_at = stamp.at from stamp
    where c.project_id = ${projectId} and c.id = ${anyId(sql, ids)}`,
  message: (sql, projectId, ids) =>
    sql`
    update messages m set updated_at = ${after(sql, sql`coalesce(m.updated_at, m.created_at)`)} from stamp
    where m.project_id = ${projectId} and m.id = ${anyId(sql, ids)}`,
  article: (sql, projectId, ids) =>
    sql`
    update article_translations t set updated_at = stamp.at from stamp
    where t.project_id = ${projectId} and t.article_id = ${anyId(sql, ids)} and t.updated_at = ${unstamped}`,
  'canned answer': (sql, projectId, ids) =>
    sql`
    update canned_answers c set updated_at = ${after(sql, sql`c.updated_at`)} from stamp
    where c.project_id = ${projectId} and c.id = ${anyId(sql, ids)}`,
} satisfies Record<string, Stamp>

export type StampedTable = keyof typeof stamps

/** The records that a change has touched. The first entry for a record counts: a record that the change created stays a new one. */
export class TouchedRecords {
  readonly #kinds = new Map<string, StampedTable>()

  add(kind: StampedTable, ids: readonly string[]): void {
    for (const id of ids) if (!this.#kinds.has(id)) this.#kinds.set(id, kind)
  }

  get size(): number {
    return this.#kinds.size
  }

  /** CTEs after `stamp`, one for each kind, for some of the records. */
  print(sql: Sql, projectId: string, from: number, to: number): Fragment {
    const some = [...this.#kinds.keys()].slice(from, to)
    const byKind = Map.groupBy(some, id => this.#kinds.get(id)!)
    return [...byKind].reduce((before, [kind, ids], n) => {
      const statement = stamps[kind](sql, projectId, ids)
      return sql`${before}, ${sql(`stamped_${n}`)} as (${statement})`
    }, sql``)
  }
}
