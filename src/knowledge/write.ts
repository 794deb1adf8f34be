import type { Sql } from '../core/db/db.ts'
import { pick } from '../core/fields.ts'
import { isId, newId } from '../core/ids.ts'
import { keysOf } from '../core/objects.ts'
import { now, toDatabase } from '../core/time.ts'
import { type DbOrTx, type Tx, transact } from '../events/transaction.ts'
import { UnknownIdError } from '../projects/projects.ts'
import { ensureCategory } from './category-tree.ts'
import { listArticlePictures } from './picture-queries.ts'
import { releasePictures, sizePictures } from './pictures.ts'
import { getDefaultLocale } from './queries.ts'
import { renderArticle } from './render.ts'
import {
  type ArticleFields,
  deleteArticleRow,
  findArticleProject,
  insertArticle,
  type LockedArticle,
  type LockedTranslation,
  listTranslations,
  lockArticle,
  type TranslationDraft,
  updateArticle,
  updateArticlePublic,
  updateTranslation,
  updateTranslationPublished,
} from './write-queries.ts'

export interface ArticleInput extends ArticleFields {
  slug: string
  locale: string
  title: string
  /** Defaults to the first words of the content. */
  excerpt?: string | null
  markdown: string
  /** The path of a category, which is created if missing. Used instead of `category_id`. */
  category?: string[]
  /** `draft` does not change the published version. By default, a new article is a draft and an old one keeps its status. */
  status?: LockedArticle['status'] | undefined
}

export type Outcome = 'imported' | 'updated' | 'unchanged'

const shared = ['category_id', 'author_id', 'position', 'tags', 'is_internal'] as const

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

type Changes = ArticleFields & { status?: string }

/** What a translation that does not decide on the shared fields can change: the first published one makes the article public. */
const followed = (article: LockedArticle, { status }: ArticleInput): Changes =>
  status === 'published' && article.status === 'draft' ? { status } : {}

/** The fields of the input that differ from the article. */
async function changesOf(tx: Tx, article: LockedArticle, input: ArticleInput): Promise<Changes> {
  const { category, ...given } = input
  const category_id = category && (await ensureCategory(tx, tx.projectId, category, input.locale))
  const sent = { ...given, ...(category_id && { category_id }) }
  const status = input.status === 'draft' ? undefined : input.status
  const changed = shared.filter(name => sent[name] !== undefined && !isSame(sent[name], article[name]))
  return { ...pick(sent, changed), ...(status && status !== article.status && { status }) }
}

/**
 * Whether this language decides on the shared fields, so that translations with different categories and tags do not
 * overwrite each other. The project's language decides. If the article lacks it, the alphabetically first language does.
 */
async function leads(tx: Tx, locale: string, others: string[]): Promise<boolean> {
  const own = await getDefaultLocale(tx, tx.projectId)
  const all = [locale, ...others].sort()
  return (all.includes(own) ? own : all[0]) === locale
}

const draftOf = ({ title, excerpt = null, markdown }: ArticleInput): TranslationDraft => ({
  draft_title: title,
  draft_excerpt: excerpt,
  draft_markdown: markdown,
})

const isOf = (old: LockedTranslation | undefined, draft: TranslationDraft): boolean =>
  old !== undefined && keysOf(draft).every(name => old[name] === draft[name])

async function publishDraft(tx: Tx, id: string, locale: string, draft: TranslationDraft): Promise<void> {
  const { excerpt, content_html: html, content_text } = renderArticle(draft.draft_markdown)
  const content_html = await sizePictures(tx, tx.projectId, html)
  const text = { content_html, content_text, excerpt: draft.draft_excerpt ?? excerpt }
  await updateTranslationPublished(tx, id, { locale, ...text })
}

async function writeDraft(tx: Tx, article: LockedArticle, input: ArticleInput) {
  const written = await listTranslations(tx, tx.projectId, article.id)
  const old = written.find(one => one.locale === input.locale)
  const isLeading = await leads(
    tx,
    input.locale,
    written.map(one => one.locale),
  )
  const changes = isLeading ? await changesOf(tx, article, input) : followed(article, input)
  const isChanged = Object.keys(changes).length > 0
  const draft = draftOf(input)
  const isWritten = !isOf(old, draft)
  const isDue = input.status === 'published' && (isWritten || old!.has_changes)
  if (isChanged) await updateArticle(tx, tx.projectId, article.id, changes)
  if (isWritten) await updateTranslation(tx, article.id, { ...draft, locale: input.locale })
  if (isDue) await publishDraft(tx, article.id, input.locale, draft)
  if (isChanged || isDue) await updateArticlePublic(tx, article.id, isChanged)
  return isWritten || isDue || isChanged
}

/** Writes an article, found by its slug, in one language. Its other languages do not change. */
export function putArticle(
  store: DbOrTx,
  projectId: string,
  input: ArticleInput,
): Promise<{ id: string; outcome: Outcome }> {
  return transact(store, projectId, async tx => {
    const named = { id: newId(), slug: input.slug, at: toDatabase(now()) }
    const { count: isNew } = await insertArticle(tx, projectId, named)
    const article = (await lockArticle(tx, projectId, { slug: input.slug }))!
    const isChanged = await writeDraft(tx, article, input)
    return { id: article.id, outcome: isNew ? 'imported' : isChanged ? 'updated' : 'unchanged' }
  })
}

/** For commands that are only given the article's id. */
export async function getArticleProject(sql: Sql, id: string): Promise<string> {
  const projectId = isId(id) ? await findArticleProject(sql, id) : null
  if (!projectId) throw new UnknownIdError('Article', id)
  return projectId
}

async function changeArticle(
  store: DbOrTx,
  id: string,
  change: (tx: Tx, article: LockedArticle) => Promise<unknown>,
): Promise<void> {
  const projectId = await getArticleProject(store, id)
  await transact(store, projectId, async tx => {
    const article = await lockArticle(tx, projectId, { id })
    if (!article) throw new UnknownIdError('Article', id)
    await change(tx, article)
  })
}

const changeStatus = async (tx: Tx, id: string, status: LockedArticle['status']) => {
  await updateArticle(tx, tx.projectId, id, { status })
  await updateArticlePublic(tx, id, false)
}

/** Publishes the drafts of an article in all its languages. */
export const publishArticle = (store: DbOrTx, id: string): Promise<void> =>
  changeArticle(store, id, async (tx, article) => {
    for (const { locale, has_changes, ...draft } of await listTranslations(tx, tx.projectId, id)) {
      if (has_changes) await publishDraft(tx, id, locale, draft)
    }
    await changeStatus(tx, article.id, 'published')
  })

/** Hides an article from the public until it is published again. */
export const archiveArticle = (store: DbOrTx, id: string): Promise<void> =>
  changeArticle(store, id, (tx, article) => changeStatus(tx, article.id, 'archived'))

export const deleteArticle = (store: DbOrTx, id: string): Promise<void> =>
  changeArticle(store, id, async tx =>
    releasePictures(tx, await listArticlePictures(tx, tx.projectId, id), async () =>
      deleteArticleRow(tx, tx.projectId, id),
    ),
  )
