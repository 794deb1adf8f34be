import { isDeepStrictEqual } from 'node:util'
import { recordAudit } from '../audit/audit.ts'
import { requireQuota } from '../core/async/quota.ts'
import type { Sql } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { ApiError } from '../core/errors.ts'
import { isId, newId } from '../core/ids.ts'
import { type DbOrTx, transact } from '../events/transaction.ts'
import { readViewChange, visibilityOf } from './fields.ts'
import { listProblems } from './problems.ts'
import {
  countSavedViews,
  deleteView,
  findSavedView,
  insertView,
  lockSavedView,
  type SavedView,
  updateView,
} from './queries.ts'
import type { NewView, View, ViewChange } from './schema.ts'

/** The maximum number of saved views that a person can see. */
const maxViews = 100

export const toView = ({ position, ...saved }: SavedView, problems: View['problems'] = []): View => ({
  ...saved,
  kind: 'saved',
  count: null,
  is_capped: false,
  visibility: visibilityOf(saved),
  problems,
})

/** The view with its problems: what its filters name that was deleted. */
async function loadView(sql: Sql, projectId: string, saved: SavedView): Promise<View> {
  const [problems] = await listProblems(sql, projectId, [saved])
  return toView(saved, problems)
}

/** Only admins may share views. */
function requireShare({ actor }: Caller): void {
  if (actor.type === 'operator' && actor.role === 'operator')
    throw new ApiError('ROLE_REQUIRED', { role: 'admin' })
}

async function getSaved(
  sql: Sql,
  { project, actor }: Caller,
  id: string,
  find = findSavedView,
): Promise<SavedView> {
  const saved = isId(id) ? await find(sql, project.id, actor.id, id) : null
  if (!saved) throw new ApiError('VIEW_NOT_FOUND')
  return saved
}

const noteView = (
  sql: Sql,
  { project, actor }: Caller,
  action: 'shared' | 'changed' | 'deleted',
  { id, name }: SavedView,
) => recordAudit(sql, project.id, actor, `view.${action}`, { type: 'view', id, name })

const unshared = { is_shared: false, department_id: null }
const usual = { ...unshared, columns: null, density: null, layout: 'list' } as const

export function saveView(store: DbOrTx, caller: Caller, input: NewView): Promise<View> {
  const { project, actor } = caller
  return transact(store, project.id, async tx => {
    const id = newId()
    const fields = await readViewChange(tx, input, unshared)
    const view = { ...usual, ...fields, id, owner_id: actor.id, name: input.name, filters: input.filters }
    const isShared = visibilityOf(view) !== 'private'
    if (isShared) requireShare(caller)
    await requireQuota(tx, { of: ['views', project.id], max: maxViews, field: 'name' }, () =>
      countSavedViews(tx, project.id, actor.id),
    )
    await insertView(tx, project.id, view)
    const saved = await getSaved(tx, caller, id)
    if (isShared) await noteView(tx, caller, 'shared', saved)
    return loadView(tx, project.id, saved)
  })
}

/** Whether a view has all these values already, because the change is repeated after a lost response. */
const has = (view: View, change: ViewChange): boolean =>
  Object.entries(change).every(([name, value]) => isDeepStrictEqual(value, view[name as keyof View]))

export function changeView(
  store: DbOrTx,
  caller: Caller,
  id: string,
  change: ViewChange,
  version: number | null = null,
): Promise<View> {
  return transact(store, caller.project.id, async tx => {
    const old = await getSaved(tx, caller, id, lockSavedView)
    if (version !== null && version !== old.version) {
      const current = await loadView(tx, tx.projectId, old)
      if (has(current, change)) return current
      throw new ApiError('SETTINGS_CHANGED', { current })
    }
    const fields = await readViewChange(tx, change, old)
    const isChanged = Object.keys(fields).length > 0
    const changed = { ...old, ...fields, version: old.version + Number(isChanged) }
    const isShared = [old, changed].some(one => visibilityOf(one) !== 'private')
    if (isShared) requireShare(caller)
    if (isChanged) await updateView(tx, tx.projectId, id, fields)
    if (isShared) await noteView(tx, caller, 'changed', old)
    return loadView(tx, tx.projectId, changed)
  })
}

export function removeView(store: DbOrTx, caller: Caller, id: string): Promise<void> {
  return transact(store, caller.project.id, async tx => {
    const old = await getSaved(tx, caller, id)
    const isShared = visibilityOf(old) !== 'private'
    if (isShared) requireShare(caller)
    await deleteView(tx, tx.projectId, id)
    if (isShared) await noteView(tx, caller, 'deleted', old)
  })
}
