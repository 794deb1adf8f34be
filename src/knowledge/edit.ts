import { recordAudit } from '../audit/audit.ts'
import { differenceOf } from '../audit/difference.ts'
import type { Sql } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { ApiError, refuse } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { readLocale } from '../core/text/locale.ts'
import { slugify } from '../core/text/slug.ts'
import { type DbOrTx, type Tx, transact } from '../events/transaction.ts'
import { listTags } from '../tags/tags.ts'
import {
  deleteTranslation,
  findArticleDraft,
  hasCategory,
  listSlugs,
  lockArticleDraft,
  updateArticleDraft,
} from './edit-queries.ts'
import type { ArticleDraft, ArticleDraftChange, NewArticleDraft, TranslationChange } from './edit-schema.ts'
import { listArticlePictures } from './picture-queries.ts'
import { releasePictures } from './pictures.ts'
import { getDefaultLocale } from './queries.ts'
import { archiveArticle, deleteArticle, publishArticle, putArticle } from './write.ts'
import { updateArticle, updateArticlePublic, updateTranslation } from './write-queries.ts'

/** Edits of articles by people of the project. */

export async function getArticleDraft(sql: Sql, projectId: string, id: string): Promise<ArticleDraft> {
  const draft = isId(id) ? await findArticleDraft(sql, projectId, id) : null
  if (!draft) throw new ApiError('ARTICLE_NOT_FOUND')
  return draft
}

async function getLocked(tx: Tx, id: string, version: number | null = null): Promise<ArticleDraft> {
  if (isId(id)) await lockArticleDraft(tx, tx.projectId, id)
  const draft = await getArticleDraft(tx, tx.projectId, id)
  if (version !== null && draft.version !== version)
    throw new ApiError('SETTINGS_CHANGED', { current: draft })
  return draft
}

export function checkLocale(text: string): string {
  const locale = readLocale(text)
  if (!locale) throw refuse('locale', 'not_a_language_tag')
  return locale
}

export async function checkCategory(
  sql: Sql,
  projectId: string,
  id: string | null | undefined,
  field: string,
) {
  if (id === null || id === undefined) return
  if (!isId(id) || !(await hasCategory(sql, projectId, id))) throw refuse(field, 'not_found')
}

async function freeSlug(tx: Tx, title: string): Promise<string> {
  const base = slugify(title) || 'article'
  const taken = await listSlugs(tx, tx.projectId, base, null)
  let slug = base
  for (let count = 2; taken.has(slug); count++) slug = `${base}-${count}`
  return slug
}

const targetOf = ({ id, slug }: Pick<ArticleDraft, 'id' | 'slug'>) => ({ type: 'article', id, name: slug })

/** Only the project's people see it until it is published. */
export const createArticleDraft = (
  store: DbOrTx,
  { project, actor }: Caller,
  sent: NewArticleDraft,
): Promise<ArticleDraft> =>
  transact(store, project.id, async tx => {
    const { title, markdown = '', category_id = null } = sent
    const locale = checkLocale(sent.locale ?? (await getDefaultLocale(tx, project.id)))
    await checkCategory(tx, project.id, category_id, 'category_id')
    const slug = await freeSlug(tx, title)
    const { id } = await putArticle(tx, project.id, {
      slug,
      locale,
      title: title.trim(),
      markdown,
      category_id,
    })
    await recordAudit(tx, project.id, actor, 'article.created', targetOf({ id, slug }))
    return getArticleDraft(tx, project.id, id)
  })

async function checkSlug(tx: Tx, id: string, sent: string): Promise<string> {
  const slug = slugify(sent)
  if (!slug) throw refuse('slug', 'not_a_slug')
  const taken = await listSlugs(tx, tx.projectId, slug, id)
  if (taken.has(slug)) throw refuse('slug', 'slug_taken')
  return slug
}

/** Changes the fields that all languages share. These changes are public at once. */
export const changeArticleDraft = (
  store: DbOrTx,
  { project, actor }: Caller,
  id: string,
  sent: ArticleDraftChange,
  version: number | null,
): Promise<ArticleDraft> =>
  transact(store, project.id, async tx => {
    const before = await getLocked(tx, id, version)
    await checkCategory(tx, project.id, sent.category_id, 'category_id')
    const change = {
      ...sent,
      ...(sent.slug && { slug: await checkSlug(tx, id, sent.slug) }),
      ...(sent.tags && { tags: listTags(sent.tags) }),
    }
    const difference = differenceOf(before, change)
    if (!difference) return before
    await updateArticleDraft(tx, project.id, id, change)
    await updateArticlePublic(tx, id, true)
    await recordAudit(tx, project.id, actor, 'article.changed', targetOf(before), difference)
    return getArticleDraft(tx, project.id, id)
  })

/** Until it is published, the public still sees the previous version. */
export const writeTranslation = (
  store: DbOrTx,
  { project, actor }: Caller,
  place: { id: string; locale: string },
  { title, excerpt = null, markdown }: TranslationChange,
  version: number | null,
): Promise<ArticleDraft> =>
  transact(store, project.id, async tx => {
    const before = await getLocked(tx, place.id, version)
    const locale = checkLocale(place.locale)
    const draft = { draft_title: title.trim(), draft_excerpt: excerpt, draft_markdown: markdown }
    await updateTranslation(tx, before.id, { locale, ...draft })
    await recordAudit(tx, project.id, actor, 'article.written', targetOf(before), {
      locale,
      title: title.trim(),
    })
    return getArticleDraft(tx, project.id, before.id)
  })

export const removeTranslation = (
  store: DbOrTx,
  { project, actor }: Caller,
  { id, locale }: { id: string; locale: string },
): Promise<ArticleDraft> =>
  transact(store, project.id, async tx => {
    const before = await getLocked(tx, id)
    if (before.translations.every(one => one.locale === locale)) throw refuse('locale', 'last_translation')
    await releasePictures(tx, await listArticlePictures(tx, project.id, id, locale), async () =>
      deleteTranslation(tx, project.id, id, locale),
    )
    await updateArticleDraft(tx, project.id, id, {})
    await recordAudit(tx, project.id, actor, 'article.translation_deleted', targetOf(before), { locale })
    return getArticleDraft(tx, project.id, id)
  })

async function unpublish(tx: Tx, id: string): Promise<void> {
  await updateArticle(tx, tx.projectId, id, { status: 'draft' })
  await updateArticlePublic(tx, id, false)
}

const moves = {
  published: publishArticle,
  draft: unpublish,
  archived: archiveArticle,
} satisfies Record<ArticleDraft['status'], (tx: Tx, id: string) => Promise<void>>

/** Publishes all drafts of an article, or hides it from the public. */
export const moveArticleDraft = (
  store: DbOrTx,
  { project, actor }: Caller,
  id: string,
  to: ArticleDraft['status'],
): Promise<ArticleDraft> =>
  transact(store, project.id, async tx => {
    const before = await getLocked(tx, id)
    await moves[to](tx, id)
    await updateArticleDraft(tx, project.id, id, {})
    const after = await getArticleDraft(tx, project.id, id)
    const difference = { before: { status: before.status }, after: { status: after.status } }
    await recordAudit(
      tx,
      project.id,
      actor,
      `article.${to === 'draft' ? 'unpublished' : to}`,
      targetOf(after),
      difference,
    )
    return after
  })

export const deleteArticleDraft = (store: DbOrTx, { project, actor }: Caller, id: string): Promise<void> =>
  transact(store, project.id, async tx => {
    const draft = await getLocked(tx, id)
    await deleteArticle(tx, id)
    await recordAudit(tx, project.id, actor, 'article.deleted', targetOf(draft))
  })
