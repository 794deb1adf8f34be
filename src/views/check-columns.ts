import { listConditionFields } from '../conditions/conditions.ts'
import type { ConditionProblem } from '../conditions/schema.ts'
import type { Sql } from '../core/db/db.ts'
import { InvalidRequest } from '../core/errors.ts'
import { isOneOf } from '../core/objects.ts'
import { isCustomColumn, ticketColumns } from './columns.ts'

/** Checks that the columns of views exist, and finds those that were deleted since. */

async function listCustomColumns(sql: Sql, projectId: string): Promise<Set<string>> {
  const fields = await listConditionFields(sql, projectId)
  return new Set(fields.map(({ field }) => field).filter(isCustomColumn))
}

const hasCustom = (columns: readonly string[] | null): boolean => columns?.some(isCustomColumn) ?? false

/** Throws a fault for each column that does not exist or is listed twice. */
export async function requireColumns(sql: Sql, projectId: string, columns: string[]): Promise<void> {
  const custom = hasCustom(columns) ? await listCustomColumns(sql, projectId) : new Set<string>()
  const faults = columns.flatMap((column, at) => {
    const fault = { loc: ['body', 'columns', at], input: column }
    if (!isOneOf(column, ticketColumns) && !custom.has(column)) {
      const names = `${ticketColumns.join(', ')}, or the name of a custom field in GET /conditions/fields`
      return [{ ...fault, type: 'enum', msg: `Input should be ${names}` }]
    }
    const isAgain = columns.indexOf(column) < at
    return isAgain ? [{ ...fault, type: 'value_error', msg: 'Each column should be listed only once' }] : []
  })
  if (faults.length) throw new InvalidRequest(faults)
}

/** The deleted custom fields among the columns of each view. */
export async function listColumnProblems(
  sql: Sql,
  projectId: string,
  views: readonly { columns: string[] | null }[],
): Promise<ConditionProblem[][]> {
  if (!views.some(({ columns }) => hasCustom(columns))) return views.map(() => [])
  const custom = await listCustomColumns(sql, projectId)
  const isDeleted = (column: string) => isCustomColumn(column) && !custom.has(column)
  return views.map(({ columns }) =>
    (columns ?? []).flatMap((column, at): ConditionProblem[] =>
      isDeleted(column) ? [{ loc: ['columns', at], type: 'field_deleted' }] : [],
    ),
  )
}
