import type { TSchema } from 'typebox'
import { isRecord } from '../objects.ts'

interface Node {
  properties?: Record<string, Node>
  additionalProperties?: unknown
  items?: Node
  anyOf?: Node[]
}

/** Removes fields that the schema does not name, in place. Unknown fields are ignored, so they must not reach the database. */
export function stripUnknown(schema: TSchema, value: unknown): void {
  const { properties, additionalProperties, items, anyOf }: Node = schema
  for (const choice of anyOf ?? []) stripUnknown(choice, value)
  if (items && Array.isArray(value)) for (const item of value) stripUnknown(items, item)
  if (!properties || !isRecord(value)) return
  for (const name of Object.keys(value)) {
    const inner = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (inner) stripUnknown(inner, value[name])
    else if (additionalProperties === undefined) delete value[name]
  }
}
