import { text } from '../core/text.ts'
import { moment } from '../core/time.ts'
import type { FieldChange, HistoryItem } from './queries.ts'

/** Describes the changes of a ticket in words. */

const customPrefix = 'custom_fields.'

/** The labels of custom fields by key. */
export type FieldLabels = ReadonlyMap<string, string>

/** The name of a field; null if the field is not shown to people. */
export function nameOfField(field: string, labels: FieldLabels): string | null {
  if (!field.startsWith(customPrefix)) return text.history.fields[field] ?? null
  const key = field.slice(customPrefix.length)
  return labels.get(key) ?? key
}

const printAny = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return text.history.empty
  if (typeof value === 'boolean') return value ? text.history.yes : text.history.no
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const wordIn = (words: Record<string, string>, value: unknown): string =>
  words[String(value)] ?? printAny(value)

const printers: Record<string, (value: unknown) => string> = {
  status: value => wordIn(text.inbox.statuses, value),
  priority: value => wordIn(text.inbox.priorities, value),
  snoozed_until: value => (typeof value === 'string' ? moment(value) : printAny(value)),
}

const named = ['operator_id', 'department_id', 'contact_id', 'merged_into_id']

function printNamed(field: string, value: unknown, name: string | null | undefined): string {
  if (value === null) return field === 'operator_id' ? text.inbox.nobody : text.history.empty
  return name ?? text.history.unknown
}

export interface ChangeLine {
  field: string
  name: string
  from: string
  to: string
  added: string[]
  removed: string[]
}

function lineOf(change: FieldChange, labels: FieldLabels): ChangeLine[] {
  const { field, from, to, from_name, to_name, added = [], removed = [] } = change
  const name = nameOfField(field, labels)
  if (name === null) return []
  const values = named.includes(field)
    ? { from: printNamed(field, from, from_name), to: printNamed(field, to, to_name) }
    : { from: (printers[field] ?? printAny)(from), to: (printers[field] ?? printAny)(to) }
  return [{ field, name, ...values, added, removed }]
}

export const linesOf = ({ changes }: HistoryItem, labels: FieldLabels): ChangeLine[] =>
  changes.flatMap(change => lineOf(change, labels))

export const wordAuthor = ({ by }: Pick<HistoryItem, 'by'>): string => by.name ?? text.history.by[by.type]

/** What happened, in a few words. */
export function wordType({ type, undoes }: HistoryItem): string {
  if (undoes) return text.history.undid
  return text.history.types[type] ?? text.history.changed
}
