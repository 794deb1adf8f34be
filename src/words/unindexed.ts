import type { Fragment, Sql } from '../core/db/db.ts'
import { indexVersion } from '../core/words/vector.ts'

/**
 * Milliseconds for which a result is cached. Rows become unindexed while an older version still runs, and at an upgrade or a
 * restore.
 */
const cacheMs = 5_000
const maxCachedAnswers = 10_000
const known = new Map<string, { is: boolean; until: number }>()

/** Whether a project has rows that are still indexed by an older rule. */
export async function hasUnindexed(sql: Sql, projectId: string, table: string): Promise<boolean> {
  const key = `${projectId} ${table}`
  const before = known.get(key)
  if (before && before.until > performance.now()) return before.is
  const [row] = await sql<{ is: boolean }[]>`
    select exists (select from ${sql(table)} where project_id = ${projectId} and search_version < ${sql.unsafe(String(indexVersion))}) as is`
  if (known.size >= maxCachedAnswers) known.clear()
  known.set(key, { is: row!.is, until: performance.now() + cacheMs })
  return row!.is
}

/** A `tsquery`. It is in an object because awaiting the fragment itself would execute it. */
export interface Words {
  words: Fragment
}

/** The query for indexes in which some rows may be indexed by an older rule, for which `old` is the query. */
export async function askBoth(
  sql: Sql,
  projectId: string,
  tables: string[],
  question: string,
  old: Fragment,
): Promise<Words> {
  const each = await Promise.all(tables.map(table => hasUnindexed(sql, projectId, table)))
  const isOld = each.includes(true)
  return {
    words: isOld ? sql`(${question}::text::tsquery || ${old})` : sql`${question}::text::tsquery`,
  }
}
