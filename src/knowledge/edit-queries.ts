import type { Sql } from '../core/db/db.ts'
import type { ArticleDraft, ArticleDraftChange, ListedArticleDraft, WrittenCategory } from './edit-schema.ts'

export const listArticleDrafts = (sql: Sql, projectId: string) => sql<ListedArticleDraft[]>`
  select a.id, a.slug, a.category_id, a.position, a.tags, a.is_internal, a.status, n.views_count,
    (array_agg(t.draft_title order by t.locale <> p.default_locale, t.locale))[1] as title,
    jsonb_agg(jsonb_build_object('locale', t.locale, 'has_changes', t.has_changes,
      'is_published', t.published_at is not null) order by t.locale) as locales
  from articles a join projects p on p.id = a.project_id
    join article_translations t on t.project_id = a.project_id and t.article_id = a.id
    join article_counts n on n.project_id = a.project_id and n.article_id = a.id
  where a.project_id = ${projectId}
  group by a.project_id, a.id, p.id, n.views_count order by a.position, a.id limit 10000`

export async function findArticleDraft(
  sql: Sql,
  projectId: string,
  id: string,
): Promise<ArticleDraft | null> {
  const [article] = await sql<Omit<ArticleDraft, 'translations'>[]>`
    select id, slug, category_id, position, tags, is_internal, status, version from articles
    where project_id = ${projectId} and id = ${id}`
  if (!article) return null
  const translations = await sql<ArticleDraft['translations']>`
    select locale, draft_title as title, draft_excerpt as excerpt, draft_markdown as markdown, has_changes, published_at
    from article_translations where project_id = ${projectId} and article_id = ${id} order by locale`
  return { ...article, translations: [...translations] }
}

export const lockArticleDraft = (sql: Sql, projectId: string, id: string) => sql`
  select from articles where project_id = ${projectId} and id = ${id} for no key update`

export async function updateArticleDraft(
  sql: Sql,
  projectId: string,
  id: string,
  change: ArticleDraftChange,
): Promise<void> {
  if (Object.keys(change).length)
    await sql`update articles set ${sql(change)} where project_id = ${projectId} and id = ${id}`
  await sql`update articles set version = version + 1 where project_id = ${projectId} and id = ${id}`
}

export const deleteTranslation = (sql: Sql, projectId: string, id: string, locale: string) => sql`
  delete from article_translations where project_id = ${projectId} and article_id = ${id} and locale = ${locale}`

/** Slugs that start with `begin`, of all articles except one. */
export const listSlugs = async (sql: Sql, projectId: string, begin: string, except: string | null) => {
  const rows = await sql<{ slug: string }[]>`
    select slug from articles
    where project_id = ${projectId} and starts_with(slug, ${begin}) and id is distinct from ${except}::uuid`
  return new Set(rows.map(row => row.slug))
}

export const hasCategory = async (sql: Sql, projectId: string, id: string): Promise<boolean> =>
  (await sql`select from categories where project_id = ${projectId} and id = ${id}`).length > 0

export const listWrittenCategories = (sql: Sql, projectId: string) => sql<WrittenCategory[]>`
  select c.id, c.parent_id, c.slug, c.icon, c.position, c.version, (
    select coalesce(jsonb_agg(jsonb_build_object('locale', t.locale, 'title', t.title, 'description', t.description)
      order by t.locale), '[]')
    from category_translations t where t.project_id = ${projectId} and t.category_id = c.id) as translations
  from categories c where c.project_id = ${projectId} order by c.position, c.id limit 10000`

export async function updateCategory(sql: Sql, projectId: string, id: string, change: object): Promise<void> {
  if (Object.keys(change).length)
    await sql`update categories set ${sql(change)} where project_id = ${projectId} and id = ${id}`
  await sql`
    update categories set version = version + 1, updated_at = clock_timestamp()
    where project_id = ${projectId} and id = ${id}`
}

export const updateCategoryTranslation = (
  sql: Sql,
  projectId: string,
  id: string,
  { locale, title, description }: { locale: string; title: string; description: string | null },
) => sql`
  insert into category_translations (project_id, category_id, locale, title, description)
  values (${projectId}, ${id}, ${locale}, ${title}, ${description})
  on conflict (project_id, category_id, locale) do update set
    title = excluded.title, description = excluded.description`

export const isCategoryUsed = async (sql: Sql, projectId: string, id: string): Promise<boolean> =>
  (
    await sql`
    select from categories where project_id = ${projectId} and parent_id = ${id}
    union all select from articles where project_id = ${projectId} and category_id = ${id} limit 1`
  ).length > 0

export const deleteCategoryRow = (sql: Sql, projectId: string, id: string) => sql`
  delete from categories where project_id = ${projectId} and id = ${id}`

/** Sets positions in the order of the ids. Ids of other projects are ignored. */
export const updatePositions = (
  sql: Sql,
  projectId: string,
  table: 'articles' | 'categories',
  ids: string[],
) => sql`
  update ${sql(table)} r set position = o.position from unnest(${ids}::uuid[]) with ordinality as o (id, position)
  where r.project_id = ${projectId} and r.id = o.id and r.position <> o.position`
