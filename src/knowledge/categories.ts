import type { Sql } from '../core/db/db.ts'
import { isId } from '../core/ids.ts'
import { type Listed, listPage, type PageQuery, type Sort } from '../core/paging/paging.ts'
import { spellLocale } from '../core/text/locale.ts'
import {
  type CategoryRow,
  countCategories,
  findCategoryIds,
  getDefaultLocale,
  listCategoryRows,
} from './queries.ts'
import type { CategoryQuery } from './schema.ts'

/** Categories sorted by position, with titles in the nearest language. */
export async function listCategories(
  sql: Sql,
  projectId: string,
  query: CategoryQuery & PageQuery = {},
): Promise<Listed<CategoryRow>> {
  const locale =
    query.locale === undefined ? await getDefaultLocale(sql, projectId) : spellLocale(query.locale)
  const column = sql`c.position`
  const sort: Sort = {
    name: 'position',
    isDescending: false,
    column,
    id: sql`c.id`,
    isNumber: true,
  }
  return listPage<CategoryRow>(
    {
      sql,
      sort,
      find: (condition, ordering) => findCategoryIds(sql, projectId, condition, ordering),
      load: async ids => listCategoryRows(sql, projectId, locale, sql`c.id = any(${ids}::uuid[])`),
      count: limit => countCategories(sql, projectId, limit),
    },
    query,
  )
}

/** Finds by id or slug. */
export async function findCategory(
  sql: Sql,
  projectId: string,
  reference: string,
  asked?: string,
): Promise<CategoryRow | null> {
  if (reference.includes('\0')) return null
  const locale = asked === undefined ? await getDefaultLocale(sql, projectId) : spellLocale(asked)
  const isNamed = isId(reference) ? sql`c.id = ${reference}` : sql`c.slug = ${reference}`
  const [row] = await listCategoryRows(sql, projectId, locale, isNamed)
  return row ?? null
}
