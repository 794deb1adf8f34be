import type { Sql } from '../core/db/db.ts'
import { now, toDatabase } from '../core/time.ts'
import { indexVersion } from '../core/words/vector.ts'
import { unstamped } from '../events/stamps.ts'
import type { Tx } from '../events/transaction.ts'
import { reindex } from '../words/words.ts'
import { indexedArticles } from './indexed.ts'
import { publishPictures, putDraftPictures } from './pictures.ts'

/** The fields that all languages of an article share. */
export interface ArticleFields {
  category_id?: string | null
  author_id?: string | null
  position?: number
  tags?: string[]
  is_internal?: boolean
}

export interface LockedArticle extends Required<ArticleFields> {
  id: string
  slug: string
  status: 'draft' | 'published' | 'archived'
}

export interface TranslationDraft {
  draft_title: string
  draft_excerpt: string | null
  draft_markdown: string
}

export interface LockedTranslation extends TranslationDraft {
  locale: string
  has_changes: boolean
}

/** Creates an article with this slug unless one exists. */
export const insertArticle = (
  sql: Sql,
  projectId: string,
  { id, slug, at }: { id: string; slug: string; at: string },
) => sql`
  with article as (
    insert into articles (project_id, id, slug, status, created_at)
    values (${projectId}, ${id}, ${slug}, 'draft', ${at}) on conflict (project_id, slug) do nothing returning id
  ) insert into article_counts (project_id, article_id) select ${projectId}, id from article`

export async function lockArticle(sql: Sql, projectId: string, name: { id: string } | { slug: string }) {
  const isNamed = 'id' in name ? sql`id = ${name.id}` : sql`slug = ${name.slug}`
  const [row] = await sql<LockedArticle[]>`
    select id, slug, category_id, author_id, position, tags, is_internal, status from articles
    where project_id = ${projectId} and ${isNamed} for no key update`
  return row ?? null
}

export const updateArticle = (
  sql: Sql,
  projectId: string,
  id: string,
  fields: ArticleFields & { status?: string },
) => sql`update articles set ${sql(fields)} where project_id = ${projectId} and id = ${id}`

export const listTranslations = (sql: Sql, projectId: string, id: string) => sql<LockedTranslation[]>`
  select locale, draft_title, draft_excerpt, draft_markdown, has_changes
  from article_translations where project_id = ${projectId} and article_id = ${id} order by locale`

export async function updateTranslation(
  tx: Tx,
  id: string,
  { locale, ...draft }: TranslationDraft & { locale: string },
): Promise<void> {
  const { projectId } = tx
  const words = { search: '', search_version: indexVersion }
  const row = { locale, ...draft, ...words, created_at: toDatabase(now()), updated_at: unstamped }
  await tx`
    with raised as (update articles set version = version + 1 where project_id = ${projectId} and id = ${id})
    insert into article_translations ${tx({ project_id: projectId, article_id: id, ...row })}
    on conflict (project_id, article_id, locale) do update set
      draft_title = excluded.draft_title, draft_excerpt = excluded.draft_excerpt,
      draft_markdown = excluded.draft_markdown, has_changes = true`
  await putDraftPictures(tx, id, locale, draft.draft_markdown)
  tx.touch('article', id)
}

/** Copies the draft into the published columns. */
export async function updateTranslationPublished(
  tx: Tx,
  id: string,
  { locale, ...text }: { locale: string; [column: string]: unknown },
): Promise<void> {
  await tx`
    update article_translations set ${tx(text)}, title = draft_title, content_markdown = draft_markdown,
      has_changes = false, published_at = coalesce(published_at, ${toDatabase(now())}), updated_at = ${unstamped}
    where project_id = ${tx.projectId} and article_id = ${id} and locale = ${locale}`
  await publishPictures(tx, id, locale)
  await reindex(tx, tx.projectId, indexedArticles, 'article_id', id)
  tx.touch('article', id)
}

/** Shows or hides the translations after a change of their article. `touches` also updates their `updated_at`. */
export async function updateArticlePublic(tx: Tx, id: string, touches: boolean): Promise<void> {
  const { projectId } = tx
  await tx`
    update article_translations t set is_public = now.is_public, updated_at = ${unstamped}
    from (
      select u.locale, u.published_at is not null and a.status = 'published' and not a.is_internal as is_public
      from article_translations u join articles a on a.project_id = u.project_id and a.id = u.article_id
      where u.project_id = ${projectId} and u.article_id = ${id}
    ) now
    where t.project_id = ${projectId} and t.article_id = ${id} and t.locale = now.locale
      and (${touches} or t.is_public <> now.is_public)`
  tx.touch('article', id)
}

export const deleteArticleRow = (sql: Sql, projectId: string, id: string) =>
  sql`delete from articles where project_id = ${projectId} and id = ${id}`

/** The project of an article, for commands that are only given the article's id. */
export async function findArticleProject(sql: Sql, id: string): Promise<string | null> {
  const [row] = await sql<{ project_id: string }[]>`select project_id from articles where id = ${id}`
  return row?.project_id ?? null
}

export interface WrittenArticle {
  id: string
  slug: string
  title: string
  status: string
  is_internal: boolean
  /** All languages of the article, with a * after those with unpublished changes. */
  locales: string
  views_count: number
}

export const listWrittenArticles = (sql: Sql, projectId: string) => sql<WrittenArticle[]>`
  select a.id, a.slug, (array_agg(t.draft_title order by t.locale <> p.default_locale, t.locale))[1] as title,
    a.status, a.is_internal, string_agg(t.locale || case when t.has_changes then '*' else '' end, ' ' order by t.locale) as locales, n.views_count
  from articles a join projects p on p.id = a.project_id
    join article_translations t on t.project_id = a.project_id and t.article_id = a.id
    join article_counts n on n.project_id = a.project_id and n.article_id = a.id
  where a.project_id = ${projectId} group by a.project_id, a.id, p.id, n.views_count order by a.slug`
