import type { Sql } from '../core/db/db.ts'
import { ApiError } from '../core/errors.ts'
import { mergeFields } from '../core/fields.ts'
import { createFaultFinder } from '../custom-fields/custom-fields.ts'
import type { ItemReport } from './report.ts'

/** Checks the custom fields of an item, reports what is wrong, and returns the values to store. */
export type CheckedFields = (sent: Record<string, unknown>, report: ItemReport) => Record<string, unknown>

/** Keys without a field are kept, as in other requests, but reported. Values that a field does not accept are left out. */
export async function createFieldChecker(
  sql: Sql,
  projectId: string,
  record: 'ticket' | 'contact' | 'organization',
): Promise<CheckedFields> {
  const findFault = await createFaultFinder(sql, projectId, record)
  return (sent, report) => {
    const kept = Object.entries(sent).filter(([key, value]) => {
      const fault = findFault(key, value)
      if (fault) report.warn(`custom_fields.${key}`, value, fault)
      return fault === null || fault === 'unknown_field'
    })
    try {
      return mergeFields({}, Object.fromEntries(kept))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      report.warn('custom_fields', Object.keys(sent), 'too_large')
      return {}
    }
  }
}
