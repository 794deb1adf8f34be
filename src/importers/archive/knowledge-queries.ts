import { anyId, type Sql } from '../../core/db/db.ts'
import type { ExportedArticle, ExportedCategory } from './rows.ts'

/** Returns null if the slug is taken, or the name within the parent category. */
export async function insertCategoryRow(
  sql: Sql,
  projectId: string,
  { parent_id, name, slug, icon, position, created_at, updated_at, translations }: ExportedCategory,
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    with category as (
      insert into categories (project_id, id, parent_id, name, slug, icon, position, created_at, updated_at)
      values (${projectId}, uuid_v7(), ${parent_id}, ${name}, ${slug}, ${icon}, ${position}, ${created_at}, ${updated_at})
      on conflict do nothing returning id
    ), translations as (
      insert into category_translations (project_id, category_id, locale, title, description)
      select ${projectId}, category.id, r.locale, r.title, r.description
      from category, jsonb_to_recordset(${JSON.stringify(translations)}::text::jsonb) as r (
        locale text, title text, description text)
    ) select id from category`
  return row?.id ?? null
}

export async function findCategoryId(
  sql: Sql,
  projectId: string,
  { parent_id, name, slug }: ExportedCategory,
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from categories
    where project_id = ${projectId} and (slug = ${slug} or name = ${name} and parent_id is not distinct from ${parent_id}::uuid)
    order by slug = ${slug} desc limit 1`
  return row?.id ?? null
}

export const hasSlug = async (sql: Sql, projectId: string, slug: string): Promise<boolean> =>
  (await sql`select from articles where project_id = ${projectId} and slug = ${slug}`).count > 0

/** Returns false if the slug is taken. The job that indexes restored rows builds the search index. */
export async function insertArticleRow(
  sql: Sql,
  projectId: string,
  {
    category_id,
    author_id,
    slug,
    position,
    tags,
    status,
    is_internal,
    created_at,
    translations,
    pictures = [],
  }: ExportedArticle,
): Promise<boolean> {
  const ids = pictures.map(({ media_id }) => media_id)
  const { count } = await sql`
    with article as (
      insert into articles (project_id, id, slug, category_id, author_id, position, tags, status, is_internal, created_at)
      values (${projectId}, uuid_v7(), ${slug}, ${category_id}, ${author_id}, ${position}, ${tags}::text[], ${status},
        ${is_internal}, ${created_at})
      on conflict do nothing returning id
    ), counts as (
      insert into article_counts (project_id, article_id) select ${projectId}, id from article
    ), translations as (
      insert into article_translations (project_id, article_id, locale, draft_title, draft_excerpt, draft_markdown, has_changes,
        title, excerpt, content_markdown, content_html, content_text, is_public, published_at, created_at, updated_at)
      select ${projectId}, article.id, r.locale, r.draft_title, r.draft_excerpt, r.draft_markdown, r.has_changes,
        r.title, r.excerpt, r.content_markdown, r.content_html, r.content_text, r.is_public, r.published_at, r.created_at,
        r.updated_at
      from article, jsonb_to_recordset(${JSON.stringify(translations)}::text::jsonb) as r (locale text, draft_title text,
        draft_excerpt text, draft_markdown text, has_changes boolean, title text, excerpt text, content_markdown text,
        content_html text, content_text text, is_public boolean, published_at timestamptz, created_at timestamptz,
        updated_at timestamptz)
    ), pictures as (
      insert into article_pictures (project_id, article_id, locale, is_published, media_id)
      select ${projectId}, article.id, r.locale, r.is_published, r.media_id
      from article, jsonb_to_recordset(${JSON.stringify(pictures)}::text::jsonb) as r (
        locale text, is_published boolean, media_id uuid)
    ), kept as (
      update media f set expires_at = null
      where f.project_id = ${projectId} and f.id = ${anyId(sql, ids)} and exists (select from article)
    ) select id from article`
  return count > 0
}
