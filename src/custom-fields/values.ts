import type { Sql } from '../core/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { refuse } from '../core/errors.ts'
import { parseTime } from '../core/time.ts'
import { listFieldsOf } from './queries.ts'
import type { CustomField, FieldRecord } from './schema.ts'

/** What a field takes, by what the project has said its fields are. Keys that are no field take everything. */

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

function checkValue({ key, label, type, options }: CustomField, value: unknown, field: string): void {
  if (!fits[type](value)) throw refuse(field, 'wrong_type', { key, label, type })
  if (type === 'select' && !options.includes(value as string))
    throw refuse(field, 'no_option', { key, label, options })
}

/** Integrations may empty what people must fill in. What a visitor's page says of them is taken as it is. */
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

/** What can be searched of the fields of a record. */
export const textsOf = (fields: Record<string, unknown>): string[] =>
  Object.values(fields).flatMap(value =>
    typeof value === 'string' || typeof value === 'number' ? String(value) : [],
  )
