import type { CustomField } from '../../custom-fields/schema.ts'
import type { UnmappedItem } from '../importer.ts'
import type { ZendeskField, ZendeskTicket } from './records.ts'

/** Maps the fields of Zendesk to the custom fields of the project with the same label. */

const fold = (text: string): string => text.trim().toLowerCase()

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0)

/** The names of the chosen options, or the value of a field without options. */
function readTexts({ custom_field_options }: ZendeskField, value: unknown): string[] {
  const nameOf = (one: unknown): string =>
    custom_field_options?.find(option => option.value === one)?.name ?? String(one)
  return Array.isArray(value) ? value.map(nameOf) : [nameOf(value)]
}

/** Converts a value to the type of the project's field. A value that does not fit is kept unchanged, and the import reports it. */
function convert(target: CustomField, field: ZendeskField, value: unknown): unknown {
  const text = readTexts(field, value).join(', ')
  if (target.type === 'number') return Number.isFinite(Number(text)) ? Number(text) : text
  if (target.type === 'checkbox') return typeof value === 'boolean' ? value : text
  if (target.type === 'select') return target.options.find(option => fold(option) === fold(text)) ?? text
  return text
}

export interface CustomValues {
  values: Record<string, unknown>
  unmapped: UnmappedItem[]
}

export function mapCustomValues(
  { custom_fields }: ZendeskTicket,
  fields: Map<number, ZendeskField>,
  targets: CustomField[],
): CustomValues {
  const mapped: CustomValues = { values: {}, unmapped: [] }
  for (const { id, value } of custom_fields ?? []) {
    const field = fields.get(id)
    if (!field || isEmpty(value)) continue
    const target = targets.find(({ label }) => fold(label) === fold(field.title))
    if (target) mapped.values[target.key] = convert(target, field, value)
    else
      mapped.unmapped.push({
        kind: 'unmapped',
        field: field.title,
        value: readTexts(field, value).join(', '),
        reason: 'unknown_field',
      })
  }
  return mapped
}
