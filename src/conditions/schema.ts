import Type, { type Static, type TSchema } from 'typebox'
import { keysOf } from '../core/objects.ts'
import { nullable, oneOf } from '../core/schema.ts'
import { type ConditionOperator, conditionOperators, operatorsOf } from './fields.ts'
import { conditionLimits } from './limits.ts'

/** Conditions on tickets, as JSON: groups of groups, down to comparisons of one field. */

type Plain = string | number | boolean | null
export type ConditionValue = Plain | Plain[]

export interface Condition {
  all?: Condition[]
  any?: Condition[]
  none?: Condition[]
  field?: string
  op?: ConditionOperator
  value?: ConditionValue
}

const exact = { minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }

const conditionItem = Type.Unsafe<Plain>({
  type: ['string', 'number', 'boolean', 'null'],
  ...exact,
  maxLength: conditionLimits.textLength,
})

const conditionValue = Type.Unsafe<ConditionValue>({
  // Lists first: the serializer of responses would print one as a string.
  type: ['array', 'string', 'number', 'boolean', 'null'],
  ...exact,
  maxLength: conditionLimits.textLength,
  maxItems: conditionLimits.values,
  items: conditionItem,
  description: 'What the operator compares with; `empty` and `not_empty` have none',
})

const leaf = {
  field: Type.Optional(
    Type.String({
      maxLength: 120,
      description: 'A field of tickets, `custom_fields.KEY` or `contact.custom_fields.KEY`',
      examples: ['status'],
    }),
  ),
  op: Type.Optional(oneOf(conditionOperators)),
  value: Type.Optional(conditionValue),
}

/** A comparison, or a group of such schemas. */
const groupOf = (inner: TSchema) =>
  Type.Unsafe<Condition>(
    Type.Object({
      all: Type.Optional(Type.Array(inner, { description: 'All of these are true' })),
      any: Type.Optional(Type.Array(inner, { description: 'At least one of these is true' })),
      none: Type.Optional(Type.Array(inner, { description: 'None of these is true' })),
      ...leaf,
    }),
  )

export const conditionLeaf = Type.Unsafe<Condition>(Type.Object(leaf))
export const conditionLevel4 = groupOf(conditionLeaf)
export const conditionLevel3 = groupOf(conditionLevel4)
export const conditionLevel2 = groupOf(conditionLevel3)
export const condition = groupOf(conditionLevel2)

/** The query parameter. */
export const conditionsText = Type.String({
  maxLength: conditionLimits.characters,
  description:
    'A condition as JSON: `{"all": […]}`, `{"any": […]}`, `{"none": […]}`, or `{"field": …, "op": …, "value": …}`. ' +
    'Groups nest up to 4 levels, with up to 50 comparisons.',
  examples: ['{"all":[{"field":"status","op":"any_of","value":["open","pending"]}]}'],
})

export const conditionField = Type.Object(
  {
    field: Type.String({ description: 'The name of the field in conditions' }),
    kind: oneOf(keysOf(operatorsOf), {
      description:
        'The kind of its values. `id`: the id of a record; `null` among the values of `any_of` means none',
    }),
    operators: Type.Array(oneOf(conditionOperators)),
    values: nullable(
      Type.Array(Type.String(), { description: 'All possible values; null if there is no list of them' }),
    ),
    label: nullable(Type.String({ description: 'The label of a custom field' })),
  },
  { title: 'ConditionField' },
)
export type ConditionField = Static<typeof conditionField>

export const conditionFields = Type.Object({ items: Type.Array(conditionField) })

export const conditionProblem = Type.Object(
  {
    loc: Type.Array(Type.Unsafe<string | number>({ type: ['string', 'integer'] }), {
      description: 'The path to the comparison',
    }),
    type: oneOf(
      [
        'department_deleted',
        'operator_deleted',
        'tag_deleted',
        'contact_deleted',
        'organization_deleted',
        'field_deleted',
        'field_changed',
      ],
      {
        description: 'What no longer exists. `field_changed`: the custom field now has another type',
      },
    ),
  },
  { title: 'ConditionProblem' },
)
export type ConditionProblem = Static<typeof conditionProblem>
