import type { TSchema } from 'typebox'

interface Node {
  properties?: Record<string, Node>
  additionalProperties?: unknown
  items?: Node
  anyOf?: Node[]
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Removes fields that the schema does not name, in place. Unknown fields are ignored, so they must not reach the database. */
export function stripUnknown(schema: TSchema, value: unknown): void {
  const { properties, additionalProperties, items, anyOf } = schema as Node
  for (const choice of anyOf ?? []) stripUnknown(choice as TSchema, value)
  if (items && Array.isArray(value)) for (const item of value) stripUnknown(items as TSchema, item)
  if (!properties || !isRecord(value)) return
  for (const name of Object.keys(value)) {
    const inner = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (inner) stripUnknown(inner as TSchema, value[name])
    else if (additionalProperties === undefined) delete value[name]
  }
}
