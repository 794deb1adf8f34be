import { allOf, conditionIf, timeRange } from '../core/db/conditions.ts'
import type { Fragment, Sql } from '../core/db/db.ts'
import { isId } from '../core/ids.ts'
import { type Listed, listPage, type Sort } from '../core/paging/paging.ts'
import { spellLocale } from '../core/text/locale.ts'
import {
  type ArticleRow,
  countArticles,
  type FoundArticle,
  findArticleIds,
  findArticleRow,
  getDefaultLocale,
  isShownIn,
  listArticlesByIds,
  listNearestArticles,
} from './queries.ts'
import type { ArticleQuery } from './schema.ts'
import { type ArticleHighlight, type ArticleSearch, searchFor } from './search.ts'

/** A published article by id or slug, in the nearest language; null if it is not public. */
export function findArticle(
  sql: Sql,
  projectId: string,
  reference: string,
  locale?: string,
): Promise<ArticleRow | null> {
  if (reference.includes('\0')) return Promise.resolve(null)
  const isNamed = isId(reference) ? sql`a.id = ${reference}` : sql`a.slug = ${reference}`
  return findArticleRow(sql, projectId, isNamed, locale === undefined ? null : spellLocale(locale))
}

/** The articles of the list that are public, in the same order, each in the nearest language. */
export async function listChosenArticles(
  sql: Sql,
  projectId: string,
  ids: string[],
  locale?: string,
): Promise<FoundArticle[]> {
  const rows = await listNearestArticles(
    sql,
    projectId,
    ids,
    locale === undefined ? null : spellLocale(locale),
  )
  return rows.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
}

const columns: Record<string, (sql: Sql) => Fragment> = {
  published_at: sql => sql`t.published_at`,
  updated_at: sql => sql`t.updated_at`,
  position: sql => sql`a.position`,
  views_count: sql => sql`n.views_count`,
}

function sortOf(sql: Sql, query: ArticleQuery, search: ArticleSearch | null): Sort {
  const asked = query.sort ?? (search ? '-score' : '-published_at')
  const sort = asked === '-score' && !search ? '-published_at' : asked
  const name = sort.replace('-', '')
  return {
    name,
    isDescending: sort.startsWith('-'),
    column: search && name === 'score' ? search.score : columns[name]!(sql),
    id: sql`t.article_id`,
    isNumber: !name.endsWith('_at'),
  }
}

const conditions = (
  sql: Sql,
  projectId: string,
  query: ArticleQuery,
  search: ArticleSearch | null,
): Fragment =>
  allOf(sql, [
    sql`t.project_id = ${projectId} and t.is_public`,
    ...conditionIf(query.category_id, sent => sql`a.category_id = any(${sent.filter(isId)}::uuid[])`),
    ...conditionIf(query.tag, sent => sql`a.tags && ${sent}::text[]`),
    ...timeRange(sql, sql`t.updated_at`, query.updated_after),
    ...(search ? [sql`t.search @@ ${search.words}`] : []),
  ])

type Shown = FoundArticle & { score?: number; highlight?: ArticleHighlight }

/** Published articles. With a search text, they are ranked and `highlight` marks the matches. */
export async function listArticles(sql: Sql, projectId: string, query: ArticleQuery): Promise<Listed<Shown>> {
  const asked = query.locale === undefined ? null : spellLocale(query.locale)
  const locale = query.q === undefined ? asked : (asked ?? (await getDefaultLocale(sql, projectId)))
  const search = query.q === undefined ? null : await searchFor(sql, projectId, query.q, locale!)
  const sort = sortOf(sql, query, search)
  const shown = isShownIn(sql, projectId, locale)
  const fits = conditions(sql, projectId, query, search)
  const where = sql`${fits} and ${shown}`
  // These conditions do not depend on the language, so the count needs no choice of a translation.
  const counted = locale === null && query.updated_after === undefined ? fits : where
  const sortValue = sort.isNumber ? sql`(${sort.column})::text` : sort.column
  return listPage<Shown>(
    {
      sql,
      sort,
      find: (condition, ordering) => findArticleIds(sql, sql`${where} and ${condition}`, sortValue, ordering),
      async load(ids) {
        const found = await listArticlesByIds<Shown>(sql, projectId, ids, shown, search?.columns ?? sql``)
        return search ? found.map(search.mark) : found
      },
      count: limit => countArticles(sql, counted, limit),
    },
    query,
  )
}
