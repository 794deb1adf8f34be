import Type, { type Static } from 'typebox'
import { id, list, oneOf, paging, text, time } from '../core/schema.ts'

export const records = ['ticket', 'contact', 'organization'] as const
export type FieldRecord = (typeof records)[number]

export const fieldTypes = ['text', 'number', 'date', 'select', 'checkbox'] as const

const options = Type.Array(text(200, { minLength: 1, examples: ['Express'] }), {
  maxItems: 100,
  uniqueItems: true,
  description: 'The options of a `select` field',
})
const label = text(100, { minLength: 1, examples: ['Order'] })
const position = Type.Integer({ minimum: 0, maximum: 10_000 })
const isRequired = Type.Boolean({ description: 'Whether people must fill in this field' })

export const customField = Type.Object(
  {
    id,
    record: oneOf(records),
    key: Type.String({ description: 'The key in `custom_fields`', examples: ['order'] }),
    label,
    type: oneOf(fieldTypes),
    options,
    is_required: isRequired,
    position,
    created_at: time,
  },
  { title: 'CustomField' },
)
export type CustomField = Static<typeof customField>

export const fieldList = list(customField)

export const fieldQuery = Type.Object({ ...paging, record: Type.Optional(oneOf(records)) })
export type FieldQuery = Static<typeof fieldQuery>

export const customFieldList = Type.Object({ items: Type.Array(customField) })

export const newField = Type.Object({
  record: oneOf(records),
  key: text(64, { pattern: '^[a-z][a-z0-9_]*$', examples: ['order'] }),
  label,
  type: oneOf(fieldTypes),
  options: Type.Optional(options),
  is_required: Type.Optional(isRequired),
  position: Type.Optional(position),
})
export type NewField = Static<typeof newField>

export const fieldChange = Type.Object({
  label: Type.Optional(label),
  options: Type.Optional(options),
  is_required: Type.Optional(isRequired),
  position: Type.Optional(position),
})
export type FieldChange = Static<typeof fieldChange>
