import { getCondition } from '../conditions/conditions.ts'
import { refuse } from '../core/errors.ts'
import { pick } from '../core/fields.ts'
import type { Tx } from '../events/transaction.ts'
import { lockDepartmentRow } from '../operators/operators.ts'
import { requireColumns } from './check-columns.ts'
import type { SavedView } from './queries.ts'
import type { View, ViewChange } from './schema.ts'

/** Reads the saved properties of a view. */

type Sharing = Pick<SavedView, 'is_shared' | 'department_id'>

export function visibilityOf({ is_shared, department_id }: Sharing): View['visibility'] {
  if (is_shared) return 'everyone'
  return department_id === null ? 'private' : 'department'
}

/** Callers that know only `is_shared` leave a view of a department as it is. */
function chooseVisibility({ visibility, is_shared }: ViewChange, old: Sharing): View['visibility'] {
  if (visibility !== undefined) return visibility
  if (is_shared === true) return 'everyone'
  const before = visibilityOf(old)
  return is_shared === false && before === 'everyone' ? 'private' : before
}

async function readSharing(tx: Tx, change: ViewChange, old: Sharing): Promise<Sharing> {
  const visibility = chooseVisibility(change, old)
  if (visibility !== 'department') {
    if (change.department_id) throw refuse('department_id', 'not_for_department')
    return { is_shared: visibility === 'everyone', department_id: null }
  }
  const { department_id = old.department_id } = change
  if (department_id === null) throw refuse('department_id', 'required')
  if (!(await lockDepartmentRow(tx, tx.projectId, department_id))) throw refuse('department_id', 'not_found')
  return { is_shared: false, department_id }
}

const appearance = ['name', 'filters', 'position', 'columns', 'density', 'layout'] as const
const sharing = ['visibility', 'is_shared', 'department_id'] as const

/** The columns that a change sets. */
export async function readViewChange(tx: Tx, change: ViewChange, old: Sharing): Promise<Partial<SavedView>> {
  const conditions = change.filters?.conditions
  if (conditions !== undefined)
    await getCondition(tx, tx.projectId, conditions, ['body', 'filters', 'conditions'])
  if (change.columns) await requireColumns(tx, tx.projectId, change.columns)
  const isShared = sharing.some(name => change[name] !== undefined)
  return { ...pick(change, [...appearance]), ...(isShared && (await readSharing(tx, change, old))) }
}
