import type TypeBox from 'typebox'
import type { TProperties, TSchema } from 'typebox'

export type { Static, TObject, TProperties, TSchema } from 'typebox'

/**
 * JSON Schemas with TypeBox's types. The few of its functions that are used are said anew: its own 370 modules, which it loads
 * all at once, were a quarter of the start of the server and of each command.
 */

const plain =
  (type: string) =>
  (options: object = {}) => ({ type, ...options })

const optional = Symbol('optional')

/** Not enumerable, so that it stands in no document. */
const toOptional = (schema: TSchema) => Object.defineProperty({ ...schema }, optional, { value: true })

function toObject(properties: TProperties, options: object = {}) {
  const required = Object.keys(properties).filter(name => !Object.hasOwn(properties[name]!, optional))
  return { type: 'object', ...(required.length && { required }), properties, ...options }
}

const toPartial = ({ properties }: { properties: TProperties }) =>
  toObject(Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, toOptional(one)])))

type Used =
  | ('Array' | 'Boolean' | 'Integer' | 'Intersect' | 'Literal' | 'Null' | 'Number' | 'Object' | 'Optional')
  | ('Partial' | 'Record' | 'String' | 'Union' | 'Unknown' | 'Unsafe')

export const Type = {
  Array: (items: TSchema, options: object = {}) => ({ type: 'array', items, ...options }),
  Boolean: plain('boolean'),
  Integer: plain('integer'),
  Intersect: (allOf: TSchema[]) => ({ allOf }),
  Literal: (value: unknown, options: object = {}) => ({ type: typeof value, const: value, ...options }),
  Null: plain('null'),
  Number: plain('number'),
  Object: toObject,
  Optional: toOptional,
  Partial: toPartial,
  Record: (_key: TSchema, value: TSchema, options: object = {}) => ({
    type: 'object',
    patternProperties: { '^.*$': value },
    ...options,
  }),
  String: plain('string'),
  Union: (anyOf: TSchema[]) => ({ anyOf }),
  Unknown: (options: object = {}) => ({ ...options }),
  Unsafe: (schema: TSchema) => ({ ...schema }),
} as unknown as Pick<typeof TypeBox, Used>
