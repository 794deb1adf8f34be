import { recordAudit } from '../audit/audit.ts'
import { requireQuota } from '../core/async/quota.ts'
import type { Sql } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { ApiError } from '../core/errors.ts'
import { pick } from '../core/fields.ts'
import { isId, newId } from '../core/ids.ts'
import { type DbOrTx, transact } from '../events/transaction.ts'
import {
  countSavedViews,
  deleteView,
  findSavedView,
  insertView,
  type SavedView,
  updateView,
} from './queries.ts'
import type { NewView, View, ViewChange } from './schema.ts'

/** The maximum number of saved views that a person can see. */
const maxViews = 100

export const toView = ({ position, ...saved }: SavedView): View => ({
  ...saved,
  kind: 'saved',
  count: null,
  is_capped: false,
})

/** Only admins may share views. */
function requireShare({ actor }: Caller): void {
  if (actor.type === 'operator' && actor.role === 'operator')
    throw new ApiError('ROLE_REQUIRED', { role: 'admin' })
}

async function getSaved(sql: Sql, { project, actor }: Caller, id: string): Promise<SavedView> {
  const saved = isId(id) ? await findSavedView(sql, project.id, actor.id, id) : null
  if (!saved) throw new ApiError('VIEW_NOT_FOUND')
  return saved
}

const noteView = (
  sql: Sql,
  { project, actor }: Caller,
  action: 'shared' | 'changed' | 'deleted',
  { id, name }: SavedView,
) => recordAudit(sql, project.id, actor, `view.${action}`, { type: 'view', id, name })

export function saveView(store: DbOrTx, caller: Caller, input: NewView): Promise<View> {
  const { project, actor } = caller
  const { name, filters, is_shared = false } = input
  if (is_shared) requireShare(caller)
  return transact(store, project.id, async tx => {
    const id = newId()
    await requireQuota(tx, { of: ['views', project.id], max: maxViews, field: 'name' }, () =>
      countSavedViews(tx, project.id, actor.id),
    )
    await insertView(tx, project.id, { id, owner_id: actor.id, name, filters, is_shared })
    const saved = await getSaved(tx, caller, id)
    if (is_shared) await noteView(tx, caller, 'shared', saved)
    return toView(saved)
  })
}

export function changeView(store: DbOrTx, caller: Caller, id: string, change: ViewChange): Promise<View> {
  const fields = pick(change, ['name', 'filters', 'is_shared', 'position'])
  return transact(store, caller.project.id, async tx => {
    const old = await getSaved(tx, caller, id)
    if (old.is_shared || change.is_shared) requireShare(caller)
    if (Object.keys(fields).length) await updateView(tx, tx.projectId, id, fields)
    if (old.is_shared || change.is_shared) await noteView(tx, caller, 'changed', old)
    return toView({ ...old, ...fields })
  })
}

export function removeView(store: DbOrTx, caller: Caller, id: string): Promise<void> {
  return transact(store, caller.project.id, async tx => {
    const old = await getSaved(tx, caller, id)
    if (old.is_shared) requireShare(caller)
    await deleteView(tx, tx.projectId, id)
    if (old.is_shared) await noteView(tx, caller, 'deleted', old)
  })
}
