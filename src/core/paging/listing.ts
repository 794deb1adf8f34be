import type { Fragment, Sql } from '../db/db.ts'
import { type FoundRow, type Listed, listPage, type PageQuery } from './paging.ts'

/** Lists all rows of a project, oldest first. For tables with few rows per project. */
export function listAll<T extends { id: string }>(
  sql: Sql,
  projectId: string,
  table: string,
  load: (ids: string[]) => Promise<readonly T[]>,
  query: PageQuery,
  only?: Fragment,
): Promise<Listed<T>> {
  const column = sql`x.created_at`
  const from = sql`from ${sql(table)} x where x.project_id = ${projectId} and ${only ?? sql`true`}`
  return listPage(
    {
      sql,
      sort: { name: 'created_at', isDescending: false, column, id: sql`x.id` },
      find: (condition, ordering) =>
        sql<FoundRow[]>`select x.id, x.created_at as sort_value ${from} and ${condition} ${ordering}`,
      load,
      async count(limit) {
        const [row] = await sql<{ count: number }[]>`
          select count(*)::int as count from (select ${from} limit ${limit}) x`
        return row!.count
      },
    },
    query,
  )
}
