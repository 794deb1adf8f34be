import type { TSchema } from 'typebox'
import { names } from './names.ts'

export type Json = Record<string, unknown>

const keyOf = (schema: unknown): string => JSON.stringify(schema)

const nameOf = new Map(Object.entries(names).map(([name, schema]) => [keyOf(schema), name]))

/** TypeBox copies a schema where it is optional, so a named one is known by what it says and not by identity. */
export const componentName = (schema: TSchema): string | undefined => nameOf.get(keyOf(schema))

/** Formats of ours that JSON Schema knows nothing of, in words. */
const ownFormats: Record<string, string> = {
  time: 'ISO 8601 with or without offset (none means UTC), or a date',
}

function tidyFormat({ format, ...rest }: Json): Json {
  const words = ownFormats[String(format)]
  if (words === undefined) return format === undefined ? rest : { ...rest, format }
  return { ...rest, description: [rest.description, words].filter(Boolean).join('. ') }
}

/** Schemas as the document shows them: named ones become references, and are collected. */
export class Components {
  readonly #used = new Map<string, Json>()

  refer(schema: unknown): Json {
    const name = nameOf.get(keyOf(schema))
    if (name === undefined) return this.#inside(schema as Json)
    if (!this.#used.has(name)) {
      this.#used.set(name, {})
      this.#used.set(name, this.#inside(schema as Json))
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  schemas(): Json {
    return Object.fromEntries([...this.#used].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #inside(schema: Json): Json {
    const plain = tidyFormat(JSON.parse(keyOf(schema)))
    const { properties, items, additionalProperties } = plain
    if (properties) {
      const entries = Object.entries(properties).map(([name, inner]) => [name, this.refer(inner)])
      plain.properties = Object.fromEntries(entries)
    }
    if (items) plain.items = this.refer(items)
    if (typeof additionalProperties === 'object')
      plain.additionalProperties = this.refer(additionalProperties)
    return plain
  }
}
