import type { Sql } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { refuse } from '../core/errors.ts'
import { isOneOf } from '../core/objects.ts'
import { parseTime } from '../core/time.ts'
import { listFields, listFieldsOf } from './queries.ts'
import type { CustomField, FieldRecord } from './schema.ts'

/** Checks values of `custom_fields` against the fields that the project has defined. Other keys accept any value. */

const isDate = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && parseTime(value) !== null

const fits: Record<CustomField['type'], (value: unknown) => boolean> = {
  text: value => typeof value === 'string',
  number: value => typeof value === 'number',
  date: isDate,
  select: value => typeof value === 'string',
  checkbox: value => typeof value === 'boolean',
}

const isEmpty = (value: unknown): boolean => value === null || value === ''

function findFault({ type, options }: CustomField, value: unknown): 'wrong_type' | 'no_option' | null {
  if (!fits[type](value)) return 'wrong_type'
  return type === 'select' && !isOneOf(value, options) ? 'no_option' : null
}

function checkValue(known: CustomField, value: unknown, field: string): void {
  const { key, label, type, options } = known
  const fault = findFault(known, value)
  if (fault === 'wrong_type') throw refuse(field, 'wrong_type', { key, label, type })
  if (fault === 'no_option') throw refuse(field, 'no_option', { key, label, options })
}

export type FieldFault = 'wrong_type' | 'no_option' | 'unknown_field'

/** Finds values that the project's fields of a record do not accept, and keys without a field, which accept any value. */
export async function createFaultFinder(sql: Sql, projectId: string, record: FieldRecord) {
  const fields = await listFields(sql, projectId)
  const known = new Map(fields.filter(one => one.record === record).map(one => [one.key, one]))
  return (key: string, value: unknown): FieldFault | null => {
    const field = known.get(key)
    if (!field) return 'unknown_field'
    return isEmpty(value) ? null : findFault(field, value)
  }
}

/** Only people must fill in required fields; integrations may empty them. Values from a visitor's page are not checked. */
export async function checkFields(
  sql: Sql,
  { project, actor }: Caller,
  record: FieldRecord,
  sent: Record<string, unknown> | undefined,
  field = 'custom_fields',
): Promise<void> {
  const keys = Object.keys(sent ?? {})
  if (actor.type === 'contact' || !keys.length) return
  for (const known of await listFieldsOf(sql, project.id, record, keys)) {
    const { key, label, is_required } = known
    const value = sent![key]
    if (!isEmpty(value)) checkValue(known, value, field)
    else if (is_required && actor.type === 'operator') throw refuse(field, 'required', { key, label })
  }
}

/** The searchable texts of a record's custom fields. */
export const textsOf = (fields: Record<string, unknown>): string[] =>
  Object.values(fields).flatMap(value =>
    typeof value === 'string' || typeof value === 'number' ? String(value) : [],
  )
