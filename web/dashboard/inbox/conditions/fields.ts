import { useQuery } from '@tanstack/react-query'
import {
  type ConditionKind,
  conditionTable,
  kindOfType,
  operatorsOf,
  type ValueShape,
} from '../../../../src/conditions/fields.ts'
import { fieldsQuery } from '../../contacts/queries.ts'
import { pageText } from '../../core/page-text.ts'
import { useProject } from '../../projects/project.ts'
import type { Leaf, Plain, Value } from './condition.ts'

/** A field that conditions can be about. */
export interface FieldInfo {
  field: string
  label: string
  kind: ConditionKind
  /** All possible values of a custom field. */
  options?: string[]
}

const shapes: Record<ConditionKind, Record<string, ValueShape>> = operatorsOf

export const listOperators = ({ kind }: FieldInfo): string[] => Object.keys(shapes[kind])

export const shapeOf = ({ kind }: FieldInfo, op: string): ValueShape | undefined => shapes[kind][op]

const plainFields: FieldInfo[] = Object.entries(conditionTable).map(([field, { kind }]) => ({
  field,
  label: pageText.conditions.fields[field] ?? field,
  kind,
}))

/** The fields of tickets, and the custom fields of tickets and contacts. */
export function useFields(): FieldInfo[] {
  const { data: custom = [] } = useQuery(fieldsQuery(useProject().id))
  return [
    ...plainFields,
    ...custom.flatMap(({ record, key, label, type, options }): FieldInfo[] => {
      if (record === 'organization') return []
      const isOfContact = record === 'contact'
      return [
        {
          field: `${isOfContact ? 'contact.' : ''}custom_fields.${key}`,
          label: isOfContact ? pageText.conditions.ofContact(label) : label,
          kind: kindOfType[type],
          options,
        },
      ]
    }),
  ]
}

const isText = (value: Plain): boolean => typeof value === 'string' && value !== ''
const isNumber = (value: Plain): boolean => typeof value === 'number' && Number.isFinite(value)

const manyOf = (value: Value | undefined, isOne: (value: Plain) => boolean, size?: number): boolean =>
  Array.isArray(value) &&
  (size === undefined ? value.length > 0 : value.length === size) &&
  value.every(isOne)

const oneOf = (value: Value | undefined, isOne: (value: Plain) => boolean): boolean =>
  value !== undefined && !Array.isArray(value) && isOne(value)

/** Whether a value is complete. */
const checks: Record<ValueShape, (value: Value | undefined) => boolean> = {
  words: value => manyOf(value, one => one === null || isText(one)),
  tags: value => manyOf(value, isText),
  texts: value => manyOf(value, isText),
  text: value => oneOf(value, isText),
  time: value => oneOf(value, isText),
  times: value => manyOf(value, isText, 2),
  duration: value => oneOf(value, isText),
  number: value => oneOf(value, isNumber),
  numbers: value => manyOf(value, isNumber),
  'two numbers': value => manyOf(value, isNumber, 2),
  boolean: value => typeof value === 'boolean',
  none: () => true,
}

/** Whether the server would accept the comparison. */
export function isComplete(info: FieldInfo | undefined, { op, value }: Leaf): boolean {
  const shape = info && shapeOf(info, op)
  return shape !== undefined && checks[shape](value)
}

/** The comparison after another operator was chosen: the value stays if it still fits. */
export function withOperator(info: FieldInfo, { field, op, value }: Leaf, next: string): Leaf {
  const shape = shapeOf(info, next)
  if (shape === 'none') return { field, op: next }
  if (shape === shapeOf(info, op) || (shape && checks[shape](value))) return { field, op: next, value }
  return shape === 'boolean' ? { field, op: next, value: true } : { field, op: next }
}

const firstOperators: Partial<Record<ConditionKind, string>> = { time: 'within_last', date: 'within_last' }

/** A new comparison of a field, without a value. */
export function newLeaf(info: FieldInfo): Leaf {
  const op = firstOperators[info.kind] ?? listOperators(info)[0]!
  return withOperator(info, { field: info.field, op: '' }, info.field === 'rating' ? 'any_of' : op)
}
