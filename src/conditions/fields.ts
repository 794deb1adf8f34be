import type { CustomField } from '../custom-fields/schema.ts'

/** The table of fields, operators and types of values, from which everything else about conditions is derived. */

/** The shape of an operator's value. */
export type ValueShape =
  | 'words'
  | 'tags'
  | 'texts'
  | 'text'
  | 'time'
  | 'times'
  | 'duration'
  | 'number'
  | 'numbers'
  | 'two numbers'
  | 'boolean'
  | 'none'

const isEmptyOrNot = { empty: 'none', not_empty: 'none' } as const
const contains = { contains_any: 'texts', contains_all: 'texts', contains_none: 'texts' } as const
const isAmong = { any_of: 'words', none_of: 'words' } as const
const times = {
  before: 'time',
  after: 'time',
  between: 'times',
  within_last: 'duration',
  older_than: 'duration',
  ...isEmptyOrNot,
} as const

/** The operators of each kind of field, with the shapes of their values. */
export const operatorsOf = {
  choice: isAmong,
  id: isAmong,
  option: { ...isAmong, ...isEmptyOrNot },
  tags: { has_any: 'tags', has_all: 'tags', has_none: 'tags', ...isEmptyOrNot },
  message: contains,
  name: { ...contains, ...isEmptyOrNot },
  text: { ...contains, is: 'text', starts_with: 'text', ...isEmptyOrNot },
  time: times,
  date: times,
  number: {
    is: 'number',
    any_of: 'numbers',
    lt: 'number',
    gt: 'number',
    between: 'two numbers',
    ...isEmptyOrNot,
  },
  flag: { is: 'boolean' },
} as const satisfies Record<string, Record<string, ValueShape>>

export type ConditionKind = keyof typeof operatorsOf

/** The shape of the operator's value; undefined if the kind of field does not have the operator. */
export function shapeOf(kind: ConditionKind, op: string): ValueShape | undefined {
  const shapes: Record<string, ValueShape> = operatorsOf[kind]
  return Object.hasOwn(shapes, op) ? shapes[op] : undefined
}

export const conditionOperators = [
  'any_of',
  'none_of',
  'has_any',
  'has_all',
  'has_none',
  'contains_any',
  'contains_all',
  'contains_none',
  'is',
  'starts_with',
  'before',
  'after',
  'between',
  'within_last',
  'older_than',
  'lt',
  'gt',
  'empty',
  'not_empty',
] as const
export type ConditionOperator = (typeof conditionOperators)[number]

export type NamedRecord = 'department' | 'operator' | 'contact' | 'organization'

interface FieldRow {
  kind: ConditionKind
  /** The record that an id names. */
  names?: NamedRecord
  values?: readonly string[]
  /** See `isCostly`. */
  isCostly?: boolean
}

const table = {
  status: { kind: 'choice', values: ['new', 'open', 'pending', 'on_hold', 'closed'] },
  priority: { kind: 'choice', values: ['low', 'normal', 'high', 'urgent'] },
  channel: { kind: 'choice' },
  department_id: { kind: 'id', names: 'department' },
  operator_id: { kind: 'id', names: 'operator' },
  contact_id: { kind: 'id', names: 'contact' },
  organization_id: { kind: 'id', names: 'organization', isCostly: true },
  tags: { kind: 'tags' },
  subject: { kind: 'text', isCostly: true },
  message: { kind: 'message', isCostly: true },
  'contact.name': { kind: 'name', isCostly: true },
  'contact.email_domain': { kind: 'name', isCostly: true },
  created_at: { kind: 'time' },
  last_message_at: { kind: 'time' },
  waiting_since: { kind: 'time' },
  closed_at: { kind: 'time' },
  rated_at: { kind: 'time' },
  snoozed_until: { kind: 'time' },
  rating: { kind: 'number' },
  messages_count: { kind: 'number' },
  is_unread: { kind: 'flag' },
  is_snoozed: { kind: 'flag' },
  is_spam: { kind: 'flag' },
  is_merged: { kind: 'flag' },
  has_files: { kind: 'flag', isCostly: true },
} as const satisfies Record<string, FieldRow>

export type PlainField = keyof typeof table

export const conditionTable: Record<PlainField, FieldRow> = table

/** The kind of a custom field's values. */
export const kindOfType: Record<CustomField['type'], ConditionKind> = {
  text: 'text',
  number: 'number',
  date: 'date',
  select: 'option',
  checkbox: 'flag',
}

/** A custom field of tickets or of contacts. */
export interface CustomName {
  record: 'ticket' | 'contact'
  key: string
}

const customName = /^(contact\.)?custom_fields\.(.{1,100})$/s

export const printCustomName = (record: CustomName['record'], key: string): string =>
  `${record === 'contact' ? 'contact.' : ''}custom_fields.${key}`

export function readCustomName(field: string): CustomName | null {
  const [, contact, key] = customName.exec(field) ?? []
  return key === undefined ? null : { record: contact ? 'contact' : 'ticket', key }
}

export const isPlainField = (field: string): field is PlainField => Object.hasOwn(table, field)

/** Whether other tables, or texts, are read for each ticket. */
export function isCostly(field: string, op: ConditionOperator): boolean {
  if (isPlainField(field)) return conditionTable[field].isCostly === true
  return readCustomName(field)?.record === 'contact' || op === 'starts_with' || op.startsWith('contains_')
}

/** Each negative operator is the opposite of another one. */
const opposites: Partial<Record<ConditionOperator, ConditionOperator>> = {
  none_of: 'any_of',
  has_none: 'has_any',
  contains_none: 'contains_any',
  not_empty: 'empty',
}

export const positiveOf = (op: ConditionOperator): { op: ConditionOperator; isNegated: boolean } => {
  const opposite = opposites[op]
  return opposite ? { op: opposite, isNegated: true } : { op, isNegated: false }
}
