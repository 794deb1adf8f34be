import { recordAudit } from '../audit/audit.ts'
import type { Sql } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { ApiError, refuse } from '../core/errors.ts'
import { pick } from '../core/fields.ts'
import { isId } from '../core/ids.ts'
import { slugify } from '../core/text/slug.ts'
import { codeOf } from '../core/thrown.ts'
import { type DbOrTx, type Tx, transact } from '../events/transaction.ts'
import { insertCategory, lockTree } from './category-tree.ts'
import { checkCategory, checkLocale } from './edit.ts'
import {
  deleteCategoryRow,
  isCategoryUsed,
  listWrittenCategories,
  updateCategory,
  updateCategoryTranslation,
  updatePositions,
} from './edit-queries.ts'
import type { CategoryChange, NewCategory, Ordering, WrittenCategory } from './edit-schema.ts'
import { getDefaultLocale } from './queries.ts'

/** Edits of the category tree by people of the project. */

async function getCategory(sql: Sql, projectId: string, id: string): Promise<WrittenCategory> {
  const found = (await listWrittenCategories(sql, projectId)).find(one => one.id === id)
  if (!found) throw new ApiError('CATEGORY_NOT_FOUND')
  return found
}

async function getLocked(tx: Tx, id: string, version: number | null = null): Promise<WrittenCategory> {
  await lockTree(tx)
  const category = await getCategory(tx, tx.projectId, id)
  if (version !== null && category.version !== version)
    throw new ApiError('SETTINGS_CHANGED', { current: category })
  return category
}

const targetOf = ({ id, slug }: WrittenCategory) => ({ type: 'category', id, name: slug })

export const createCategory = (store: DbOrTx, { project, actor }: Caller, sent: NewCategory) =>
  transact(store, project.id, async tx => {
    const { title, description = null, icon = null, parent_id = null } = sent
    await lockTree(tx)
    const locale = checkLocale(sent.locale ?? (await getDefaultLocale(tx, project.id)))
    await checkCategory(tx, project.id, parent_id, 'parent_id')
    const id = await insertCategory(tx, parent_id, title.trim(), locale)
    await updateCategoryTranslation(tx, project.id, id, { locale, title: title.trim(), description })
    await updateCategory(tx, project.id, id, { icon })
    const made = await getCategory(tx, project.id, id)
    await recordAudit(tx, project.id, actor, 'category.created', targetOf(made), { title })
    return made
  }).catch(explainTwin)

/** Names are unique below a category. A unique index ensures it. */
function explainTwin(error: unknown): never {
  if (codeOf(error) !== '23505') throw error
  throw new ApiError('NOT_POSSIBLE', { reason: 'category_exists' })
}

/** Throws if a category would be below itself. */
async function checkParent(tx: Tx, id: string, parentId: string | null | undefined): Promise<void> {
  await checkCategory(tx, tx.projectId, parentId, 'parent_id')
  const parents = new Map((await listWrittenCategories(tx, tx.projectId)).map(one => [one.id, one.parent_id]))
  for (let above = parentId; above; above = parents.get(above))
    if (above === id) throw refuse('parent_id', 'same')
}

export const changeCategory = (
  store: DbOrTx,
  { project, actor }: Caller,
  id: string,
  sent: CategoryChange,
  version: number | null,
) =>
  transact(store, project.id, async tx => {
    const before = await getLocked(tx, id, version)
    await checkParent(tx, id, sent.parent_id)
    const slug = sent.slug && (await checkSlug(tx, id, sent.slug))
    await updateCategory(tx, project.id, id, {
      ...pick(sent, ['icon', 'parent_id', 'position']),
      ...(slug && { slug }),
    })
    await changeWords(tx, before, sent)
    await recordAudit(tx, project.id, actor, 'category.changed', targetOf(before), { ...sent })
    return getCategory(tx, project.id, id)
  }).catch(explainTwin)

async function checkSlug(tx: Tx, id: string, sent: string): Promise<string> {
  const slug = slugify(sent)
  if (!slug) throw refuse('slug', 'not_a_slug')
  const all = await listWrittenCategories(tx, tx.projectId)
  if (all.some(one => one.id !== id && one.slug === slug)) throw refuse('slug', 'slug_taken')
  return slug
}

async function changeWords(
  tx: Tx,
  before: WrittenCategory,
  { locale: sent, title, description }: CategoryChange,
) {
  if (title === undefined && description === undefined) return
  const locale = checkLocale(sent ?? (await getDefaultLocale(tx, tx.projectId)))
  const old = before.translations.find(one => one.locale === locale) ?? before.translations[0]
  const words = {
    title: title?.trim() ?? old!.title,
    description: description === undefined ? (old?.description ?? null) : description,
  }
  await updateCategoryTranslation(tx, tx.projectId, before.id, { locale, ...words })
}

/** Deletes a category only if it is empty, so that no article is lost. */
export const deleteCategory = (store: DbOrTx, { project, actor }: Caller, id: string): Promise<void> =>
  transact(store, project.id, async tx => {
    const category = await getLocked(tx, id)
    if (await isCategoryUsed(tx, project.id, id))
      throw new ApiError('NOT_POSSIBLE', { reason: 'category_not_empty' })
    await deleteCategoryRow(tx, project.id, id)
    await recordAudit(tx, project.id, actor, 'category.deleted', targetOf(category))
  })

/** Sets the order of articles, categories or both. */
export const orderKnowledge = (store: DbOrTx, { project, actor }: Caller, sent: Ordering): Promise<void> =>
  transact(store, project.id, async tx => {
    await lockTree(tx)
    for (const name of ['articles', 'categories'] as const) {
      const ids = sent[name]?.filter(isId) ?? []
      if (ids.length) await updatePositions(tx, project.id, name, ids)
    }
    const counts = { articles: sent.articles?.length ?? 0, categories: sent.categories?.length ?? 0 }
    await recordAudit(tx, project.id, actor, 'knowledge.ordered', { type: 'knowledge' }, counts)
  })
