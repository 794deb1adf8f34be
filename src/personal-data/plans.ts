import type { Sql } from '../core/db/db.ts'

/** Settings of the planner for one transaction. */

/** For tables that grow before the planner's statistics are updated. */
export const avoidScans = (sql: Sql) => sql`select set_config('enable_seqscan', 'off', true)`

/** Forbids plans that read all rows of the project to find a word that no row contains. */
export const useWordIndexes = (sql: Sql) => sql`
  select set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true),
    set_config('enable_indexonlyscan', 'off', true)`
