import { getCondition } from '../../conditions/conditions.ts'
import type { Sql } from '../../core/db/db.ts'
import { InvalidRequest } from '../../core/errors.ts'
import { propertyOf } from '../../core/objects.ts'
import { foldTag } from '../../tags/fold.ts'
import type { ImportContext } from '../importer.ts'
import type { ExportFile } from './export-file.ts'
import { importArticleRows, importCategories } from './knowledge.ts'
import { type Ids, renameIds } from './rename-ids.ts'
import type { ExportedDepartment, ExportedOperator, ExportedSavedView } from './rows.ts'
import {
  insertCannedAnswers,
  insertDepartments,
  insertFields,
  insertTags,
  insertViews,
  listDepartmentsByName,
  listOperatorsByEmail,
} from './setting-queries.ts'

/** Imports what a project has besides its contacts and tickets. */

/** Finds the operators of the export in the project by email address. Returns their ids, and the operators who are missing. */
export async function matchOperators(
  sql: Sql,
  projectId: string,
  operators: ExportedOperator[],
): Promise<{ ids: Ids; missing: ExportedOperator[] }> {
  const emails = operators.map(({ email }) => email.toLowerCase())
  const found = await listOperatorsByEmail(sql, projectId, emails)
  const byEmail = new Map(found.map(({ id, email }) => [email, id]))
  const ids = new Map<string, string>()
  const missing: ExportedOperator[] = []
  for (const one of operators) {
    const id = byEmail.get(one.email.toLowerCase())
    if (id) ids.set(one.id, id)
    else missing.push(one)
  }
  return { ids, missing }
}

async function matchDepartments(
  sql: Sql,
  projectId: string,
  departments: ExportedDepartment[],
): Promise<Ids> {
  const names = departments.map(({ name }) => name.toLowerCase())
  const found = await listDepartmentsByName(sql, projectId, names)
  const byName = new Map(found.map(({ id, name }) => [name, id]))
  return new Map(departments.map(({ id, name }) => [id, byName.get(name.toLowerCase())!]))
}

/** How many records of each kind were added. */
export interface AddedSettings {
  departments: number
  tags: number
  custom_fields: number
  canned_answers: number
  saved_views: number
  categories: number
  articles: number
}

/** Views whose conditions this version does not understand, by name. */
type RefusedViews = string[]

/** Adds what the project lacks. Records of the project with the same name, key, shortcut or slug stay unchanged. */
export async function importSettings(
  context: ImportContext,
  file: ExportFile,
  operators: Ids,
): Promise<{ added: AddedSettings; refusedViews: RefusedViews }> {
  const { db, projectId } = context
  const departments = await Array.fromAsync(file.rows('departments'))
  const tags = (await Array.fromAsync(file.rows('tags'))).map(tag => ({ ...tag, folded: foldTag(tag.name) }))
  const added = {
    departments: (await insertDepartments(db, projectId, departments)).count,
    tags: (await insertTags(db, projectId, tags)).count,
    custom_fields: (await insertFields(db, projectId, await Array.fromAsync(file.rows('custom_fields'))))
      .count,
  }
  const ids = new Map([...operators, ...(await matchDepartments(db, projectId, departments))])
  const categories = await importCategories(db, projectId, file)
  const canned_answers = await importCannedAnswers(db, projectId, file, ids)
  const views = await importViews(db, projectId, file, ids)
  const articles = await importArticleRows(context, file, new Map([...ids, ...categories.ids]))
  const rest = { canned_answers, saved_views: views.made, categories: categories.made, articles }
  return { added: { ...added, ...rest }, refusedViews: views.refused }
}

/** A personal answer is imported only if its owner is in the project. */
async function importCannedAnswers(sql: Sql, projectId: string, file: ExportFile, ids: Ids): Promise<number> {
  const answers = await Array.fromAsync(file.rows('canned_answers'))
  const owned = answers.filter(({ owner_id }) => owner_id === null || ids.has(owner_id))
  return (await insertCannedAnswers(sql, projectId, renameIds(owned, ids))).count
}

async function hasGoodConditions(
  sql: Sql,
  projectId: string,
  { filters }: ExportedSavedView,
): Promise<boolean> {
  const conditions = propertyOf(filters, 'conditions')
  if (conditions === undefined) return true
  try {
    await getCondition(sql, projectId, conditions, ['conditions'])
    return true
  } catch (error) {
    if (error instanceof InvalidRequest) return false
    throw error
  }
}

async function importViews(
  sql: Sql,
  projectId: string,
  file: ExportFile,
  ids: Ids,
): Promise<{ made: number; refused: RefusedViews }> {
  const views = await Array.fromAsync(file.rows('saved_views'))
  const owned = renameIds(
    views.filter(({ owner_id }) => ids.has(owner_id)),
    ids,
  )
  const good: ExportedSavedView[] = []
  const refused: RefusedViews = []
  for (const view of owned)
    if (await hasGoodConditions(sql, projectId, view)) good.push(view)
    else refused.push(view.name)
  return { made: (await insertViews(sql, projectId, good)).count, refused }
}
