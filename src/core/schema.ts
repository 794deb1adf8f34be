import Type, { type TObject, type TSchema } from 'typebox'

/** Shapes that the schemas of all domains use. */

interface Nullable {
  type?: string | string[]
  enum?: unknown[]
}

export const nullable = <T extends TSchema>(schema: T) => {
  const { type, enum: values, ...rest }: Nullable = schema
  const widened = { ...rest, type: [type, 'null'].flat(), ...(values && { enum: [...values, null] }) }
  return Type.Unsafe<Type.Static<T> | null>(widened)
}

export const oneOf = <const T extends readonly string[]>(values: T, options: object = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options })

export const id = Type.String({ format: 'uuid', examples: ['0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b11'] })

/** An id in a request. A reference to a record is not checked like this, because any wrong one is answered as not found. */
export const idInput = Type.String({
  ...id,
  pattern: '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
})

/** UTC, no offset, six fraction digits. */
export const time = Type.String({ examples: ['2026-01-15T10:30:00.123456'] })

/** A time in a request: ISO 8601 with or without offset, or a date. */
export const timeInput = Type.String({ format: 'time', examples: ['2026-01-15T10:30:00Z'] })

export const text = (maxLength: number, options: object = {}) => Type.String({ maxLength, ...options })

export const tags = Type.Array(
  Type.String({
    minLength: 1,
    maxLength: 64,
    format: 'tag',
    description: 'Must not contain a comma. Case is ignored: the first spelling is kept',
  }),
  { maxItems: 50 },
)

/** Larger numbers would be rounded when they are parsed. */
const exact = { minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }

export const fieldItem = Type.Unsafe<string | number | boolean>({
  type: ['string', 'number', 'boolean'],
  ...exact,
  maxLength: 4_000,
})

export const fieldValue = Type.Unsafe<string | number | boolean | null | (string | number | boolean)[]>({
  type: ['string', 'number', 'boolean', 'null', 'array'],
  ...exact,
  maxLength: 4_000,
  maxItems: 100,
  items: fieldItem,
})

export type CustomFields = Record<string, unknown>

/** Custom fields in responses, which may contain any stored value. */
export const shownFields = Type.Unsafe<CustomFields>({
  type: 'object',
  additionalProperties: true,
})

/** Custom fields in requests: each value is a string, a number, a boolean, or a list of these. */
export const customFields = Type.Unsafe<CustomFields>({
  type: 'object',
  maxProperties: 100,
  propertyNames: { maxLength: 100 },
  additionalProperties: fieldValue,
})

/** The query parameter `custom_fields[order]=A-17`, with one value per key. */
export const fieldFilter = Type.Unsafe<Record<string, string>>({
  type: 'object',
  maxProperties: 10,
  propertyNames: { maxLength: 100 },
  additionalProperties: { type: 'string', maxLength: 4_000 },
  examples: [{ order: 'A-17' }],
  description:
    'Records whose custom field has this value, or a list that contains it: `custom_fields[order]=A-17`. Numbers and booleans are matched by their text',
})

/** An object whose fields vary. */
export const openObject = Type.Object({}, { additionalProperties: true })

export const links = (...names: string[]) =>
  Type.Object(Object.fromEntries(names.map(name => [name, Type.String()])))

export const paging = {
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: 1,
      description: 'Pages end at row 10,000; use `cursor` beyond that',
    }),
  ),
  page_size: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  cursor: Type.Optional(
    Type.String({
      maxLength: 500,
      description: 'The `next_cursor` of the previous page; `page` is then ignored',
    }),
  ),
  count: Type.Optional(Type.Boolean({ default: true, description: '`false` omits `total` and `pages`' })),
}

export const list = (item: TSchema): TObject =>
  Type.Object({
    items: Type.Array(item),
    page: nullable(Type.Integer()),
    page_size: Type.Integer(),
    total: nullable(
      Type.Integer({
        description: 'Null with `cursor`, with `count=false`, and if counting would take too long',
      }),
    ),
    total_capped: Type.Optional(Type.Boolean()),
    pages: nullable(Type.Integer()),
    has_more: Type.Boolean(),
    next_cursor: nullable(Type.String()),
  })
