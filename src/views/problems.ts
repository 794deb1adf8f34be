import { findProblems, readConditionContext } from '../conditions/conditions.ts'
import type { Condition, ConditionProblem } from '../conditions/schema.ts'
import type { Sql } from '../core/db/db.ts'
import { listColumnProblems } from './check-columns.ts'
import type { SavedView } from './queries.ts'
import type { ViewFilters } from './schema.ts'

/** Finds what saved views name that has been deleted since. */

type Placed = [loc: (string | number)[], condition: Condition]

const naming = ['operator_id', 'department_id', 'contact_id', 'organization_id'] as const

/** The conditions of a view, with their places in its filters. */
const listPlaced = (filters: ViewFilters): Placed[] => [
  ...naming.flatMap((field): Placed[] => {
    const value = filters[field]?.filter(id => id !== 'none') ?? []
    return value.length ? [[[field], { field, op: 'any_of', value }]] : []
  }),
  ...(filters.conditions ? [[['conditions'], filters.conditions] satisfies Placed] : []),
]

type Listed = Pick<SavedView, 'filters' | 'columns'>

/** The problems of each view's filters. The people and records that all of them name are read at once. */
async function listFilterProblems(
  sql: Sql,
  projectId: string,
  views: readonly Listed[],
): Promise<ConditionProblem[][]> {
  const placed = views.map(({ filters }) => listPlaced(filters))
  const all = placed.flat().map(([, condition]) => condition)
  if (!all.length) return views.map(() => [])
  const context = await readConditionContext(sql, projectId, all, null)
  return placed.map(list => list.flatMap(([loc, condition]) => findProblems(condition, context, loc)))
}

/** The problems of each view. */
export async function listProblems(
  sql: Sql,
  projectId: string,
  views: readonly Listed[],
): Promise<ConditionProblem[][]> {
  const [filters, columns] = await Promise.all([
    listFilterProblems(sql, projectId, views),
    listColumnProblems(sql, projectId, views),
  ])
  return views.map((_, at) => [...filters[at]!, ...columns[at]!])
}
