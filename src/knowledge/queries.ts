import { anyId, type Fragment, type Sql, unprepared } from '../core/db/db.ts'

export interface CategoryRow {
  id: string
  parent_id: string | null
  slug: string
  title: string
  description: string | null
  icon: string | null
  position: number
  articles_count: number
  locale: string
  updated_at: string
}

/** The published article in one language. */
export interface FoundArticle {
  id: string
  slug: string
  title: string
  excerpt: string
  category_id: string | null
  category: { id: string; slug: string; title: string } | null
  tags: string[]
  locale: string
  available_locales: string[]
  /** The project's slug, for the article's address; null without a help centre. */
  help_slug: string | null
  author: { id: string; name: string } | null
  position: number
  views_count: number
  helpful_count: number
  not_helpful_count: number
  published_at: string
  created_at: string
  updated_at: string
}

export interface ArticleRow extends FoundArticle {
  content_markdown: string
  content_html: string
  content_text: string
}

/** Prefers a title in the requested language, then in the project's, then in any, always the same one. */
const nearest = (sql: Sql, locale: Fragment): Fragment =>
  sql`order by u.locale <> ${locale}, u.locale <> p.default_locale, u.locale limit 1`

const articles = (sql: Sql): Fragment =>
  sql`article_translations t
    join articles a on a.project_id = t.project_id and a.id = t.article_id
    join article_counts n on n.project_id = t.project_id and n.article_id = t.article_id
    join projects p on p.id = t.project_id`

/** Shared by finding and counting: Postgres skips a left join whose columns are not used. */
const candidates = (sql: Sql): Fragment =>
  sql`article_translations t
    left join articles a on a.project_id = t.project_id and a.id = t.article_id
    left join article_counts n on n.project_id = t.project_id and n.article_id = t.article_id`

const columns = (sql: Sql, projectId: string): Fragment =>
  sql`
  a.id, a.slug, t.title, t.excerpt, a.category_id, a.tags, t.locale, a.position, t.published_at, t.created_at,
  t.updated_at, n.views_count, n.helpful_count, n.not_helpful_count,
  case when p.has_help_centre then p.slug end as help_slug,
  (select jsonb_build_object('id', c.id, 'slug', c.slug, 'title', (
      select u.title from category_translations u where u.project_id = ${projectId} and u.category_id = c.id
      ${nearest(sql, sql`t.locale`)}))
    from categories c where c.project_id = ${projectId} and c.id = a.category_id) as category,
  (select jsonb_build_object('id', o.id, 'name', o.name) from operators o
    where o.project_id = ${projectId} and o.id = a.author_id) as author,
  array(select u.locale from article_translations u
    where u.project_id = ${projectId} and u.article_id = a.id and u.is_public order by u.locale) as available_locales`

/** Orders translations by their closeness to the project's language. An article is shown in the first one. */
const nearness = (sql: Sql, projectId: string, locale: Fragment): Fragment =>
  sql`(${locale} <> (select default_locale from projects where id = ${projectId}), ${locale})`

/** Whether a translation is listed: the one in this language, or without a language the one nearest to the project's. */
export const isShownIn = (sql: Sql, projectId: string, locale: string | null): Fragment =>
  locale === null
    ? sql`not exists (select from article_translations u
        where u.project_id = ${projectId} and u.article_id = t.article_id and u.is_public
          and ${nearness(sql, projectId, sql`u.locale`)}
            < ${nearness(sql, projectId, sql`t.locale`)})`
    : sql`t.locale = ${locale}`

export const findArticleIds = (sql: Sql, where: Fragment, sortValue: Fragment, ordering: Fragment) =>
  unprepared(sql<{ id: string; sort_value: string }[]>`
    select t.article_id as id, ${sortValue} as sort_value from ${candidates(sql)} where ${where} ${ordering}`)

/** Counts each article once, even if several languages match. */
export async function countArticles(sql: Sql, where: Fragment, limit: number): Promise<number> {
  const [row] = await unprepared(sql<{ count: number }[]>`
    select count(*)::int as count from (
      select distinct t.article_id from ${candidates(sql)} where ${where} limit ${limit}) t`)
  return row!.count
}

export const listArticlesByIds = <T extends FoundArticle>(
  sql: Sql,
  projectId: string,
  ids: string[],
  shown: Fragment,
  more: Fragment,
) => sql<T[]>`
  select ${columns(sql, projectId)} ${more} from ${articles(sql)}
  where t.project_id = ${projectId} and t.article_id = ${anyId(sql, ids)} and t.is_public and ${shown}`

/** The requested language first, then another region of it, then the project's language, then any. */
const byNearness = (sql: Sql, locale: string | null): Fragment => {
  const wanted = locale ?? ''
  return sql`t.locale <> ${wanted}, split_part(t.locale, '-', 1) <> split_part(${wanted}, '-', 1),
    t.locale <> p.default_locale, t.locale`
}

/** Each article in the nearest language. */
export const listNearestArticles = (sql: Sql, projectId: string, ids: string[], locale: string | null) => sql<
  FoundArticle[]
>`
  select distinct on (a.id) ${columns(sql, projectId)} from ${articles(sql)}
  where t.project_id = ${projectId} and t.article_id = ${anyId(sql, ids)} and t.is_public
  order by a.id, ${byNearness(sql, locale)}`

export async function findArticleRow(
  sql: Sql,
  projectId: string,
  isNamed: Fragment,
  locale: string | null,
): Promise<ArticleRow | null> {
  const [row] = await sql<ArticleRow[]>`
    select ${columns(sql, projectId)}, t.content_markdown, t.content_html, t.content_text from ${articles(sql)}
    where a.project_id = ${projectId} and ${isNamed} and t.is_public
    order by ${byNearness(sql, locale)} limit 1`
  return row ?? null
}

/** Skips from language to language in the index, because there are few languages and many articles. */
export async function listLocales(sql: Sql, projectId: string): Promise<string[]> {
  const rows = await sql<{ locale: string }[]>`
    with recursive found (locale) as (
      select min(locale) from article_translations where project_id = ${projectId} and is_public
      union all
      select next.locale from found, lateral (
        select t.locale from article_translations t
        where t.project_id = ${projectId} and t.is_public and t.locale > found.locale order by t.locale limit 1) next
    ) select locale from found where locale is not null`
  return rows.map(row => row.locale)
}

/** The ids of a page of categories. Their articles are counted later, when the rows are loaded. */
export const findCategoryIds = (sql: Sql, projectId: string, condition: Fragment, ordering: Fragment) =>
  unprepared(sql<{ id: string; sort_value: string }[]>`
    select c.id, c.position::text as sort_value from categories c
    where c.project_id = ${projectId} and ${condition} ${ordering}`)

export const listCategoryRows = (sql: Sql, projectId: string, locale: string, condition: Fragment) =>
  unprepared(sql<CategoryRow[]>`
  select c.id, c.parent_id, c.slug, w.title, w.description, c.icon, c.position, w.locale, c.updated_at,
    coalesce(n.count, 0)::int as articles_count
  from categories c join projects p on p.id = c.project_id
    cross join lateral (select u.* from category_translations u
      where u.project_id = ${projectId} and u.category_id = c.id
      ${nearest(sql, sql`${locale}`)}) w
    left join (select a.category_id, count(*) from articles a
      join article_translations t on t.article_id = a.id
      where a.project_id = ${projectId} and t.project_id = ${projectId} and t.locale = ${locale} and t.is_public
      group by a.category_id) n on n.category_id = c.id
  where c.project_id = ${projectId} and ${condition}`)

export async function countCategories(sql: Sql, projectId: string, limit: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from (
    select from categories where project_id = ${projectId} limit ${limit}) c`
  return row!.count
}

export async function getDefaultLocale(sql: Sql, projectId: string): Promise<string> {
  const [row] = await sql<{ locale: string }[]>`
    select default_locale as locale from projects where id = ${projectId}`
  return row!.locale
}
