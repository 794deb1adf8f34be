import type { Sql } from '../core/db/db.ts'
import type { FoundArticle } from './queries.ts'

/** Queries of the help centre for neighbours, breadcrumbs and sitemaps. */

export interface NeighbourArticle {
  slug: string
  title: string
}

type Place = Pick<FoundArticle, 'id' | 'category_id' | 'position' | 'locale'>

async function findNeighbour(sql: Sql, projectId: string, from: Place, isNext: boolean) {
  const [beyond, direction] = isNext ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`]
  const [row] = await sql<NeighbourArticle[]>`
    select a.slug, t.title
    from articles a join article_translations t on t.project_id = a.project_id and t.article_id = a.id
    where a.project_id = ${projectId} and a.category_id = ${from.category_id} and t.locale = ${from.locale} and t.is_public
      and (a.position, a.id) ${beyond} (${from.position}, ${from.id}::uuid)
    order by a.position ${direction}, a.id ${direction} limit 1`
  return row ?? null
}

/** The articles before and after an article in its category, in its language. */
export async function listNeighbours(sql: Sql, projectId: string, from: Place) {
  const find = (isNext: boolean) => findNeighbour(sql, projectId, from, isNext)
  const [previous, next] = await Promise.all([find(false), find(true)])
  return { previous, next }
}

export interface PathCategory {
  slug: string
  title: string
  locale: string
}

/** The path from the top to a category, each title in the nearest language. */
export const findCategoryPath = (
  sql: Sql,
  projectId: string,
  categoryId: string | null,
  locale: string,
) => sql<PathCategory[]>`
  with recursive way as (
    select id, parent_id, slug, 1 as depth from categories where project_id = ${projectId} and id = ${categoryId}
    union all
    select c.id, c.parent_id, c.slug, way.depth + 1 from way
      join categories c on c.project_id = ${projectId} and c.id = way.parent_id
    where way.depth < ${maxDepth}
  )
  select way.slug, u.title, u.locale from way cross join lateral (
    select t.title, t.locale from category_translations t join projects p on p.id = t.project_id
    where t.project_id = ${projectId} and t.category_id = way.id
    order by t.locale <> ${locale}, t.locale <> p.default_locale, t.locale limit 1
  ) u order by way.depth desc`

/** A deeper tree must contain a cycle. */
const maxDepth = 20

/** A sitemap may have 50,000 pages. One is the home page, and up to 1,000 are categories. */
const maxSitemapArticles = 48_999

/** The paths of articles in one language and when they changed, newest first. */
export const listAddresses = (sql: Sql, projectId: string, locale: string) => sql<
  { slug: string; updated_at: string }[]
>`
  select a.slug, t.updated_at
  from article_translations t join articles a on a.project_id = t.project_id and a.id = t.article_id
  where t.project_id = ${projectId} and t.locale = ${locale} and t.is_public
  order by t.updated_at desc, t.article_id desc limit ${maxSitemapArticles}`
