import type { Sql } from '../core/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { refuse } from '../core/errors.ts'
import { parseTime } from '../core/time.ts'
import { listFieldsOf } from './queries.ts'
import type { CustomField, FieldRecord } from './schema.ts'

/** What a field takes. Integrations write what they like; people what the project has said its fields are. */

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

function checkValue({ key, label, type, options, is_required }: CustomField, value: unknown): void {
  if (isEmpty(value)) {
    if (is_required) throw refuse('custom_fields', 'required', { key, label })
    return
  }
  if (!fits[type](value)) throw refuse('custom_fields', 'wrong_type', { key, label, type })
  if (type === 'select' && !options.includes(value as string))
    throw refuse('custom_fields', 'no_option', { key, label, options })
}

/** Holds what a person sends against the project's fields; keys that are no field stay free. */
export async function checkFields(
  sql: Sql,
  { project, actor }: Caller,
  record: FieldRecord,
  sent: Record<string, unknown> | undefined,
): Promise<void> {
  const keys = Object.keys(sent ?? {})
  if (actor.type !== 'operator' || !keys.length) return
  for (const field of await listFieldsOf(sql, project.id, record, keys)) checkValue(field, sent![field.key])
}
