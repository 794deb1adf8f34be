import type { TSchema } from 'typebox'
import { requestTime } from '../core/time.ts'
import { fieldWords } from './field-words.ts'
import { names } from './names.ts'

export type Json = Record<string, unknown>

const keyOf = (schema: unknown): string => JSON.stringify(schema)

const nameOf = new Map(Object.entries(names).map(([name, schema]) => [keyOf(schema), name]))

/** TypeBox copies a schema where it is optional, so a named one is known by what it says and not by identity. */
export const componentName = (schema: TSchema): string | undefined => nameOf.get(keyOf(schema))

/** Formats of ours that JSON Schema knows nothing of, in words. */
const ownFormats: Record<string, { words: string; pattern: string }> = {
  digits: {
    words: `As a text: its digits, up to ${Number.MAX_SAFE_INTEGER}`,
    pattern: '^[1-9][0-9]{0,15}$',
  },
  time: {
    words: 'ISO 8601 with or without offset (none means UTC), or a date',
    pattern: requestTime.source.replaceAll('\\d', '[0-9]').replaceAll('\\s', ' '),
  },
}

function tidyFormat({ format, ...rest }: Json): Json {
  const own = ownFormats[String(format)]
  if (own === undefined) return format === undefined ? rest : { ...rest, format }
  const description = [rest.description, own.words].filter(Boolean).join('. ')
  return { ...rest, pattern: own.pattern, description }
}

/** A schema's own description wins, and what a reference leads to has one of its own. */
const explain = (shown: Json, description: string | undefined): Json =>
  description === undefined || shown.$ref || shown.description ? shown : { ...shown, description }

/** Schemas as the document shows them: named ones become references, and are collected. */
export class Components {
  readonly #used = new Map<string, Json>()

  refer(schema: unknown): Json {
    const name = nameOf.get(keyOf(schema))
    if (name === undefined) return this.#inside(schema as Json)
    if (!this.#used.has(name)) {
      this.#used.set(name, {})
      this.#used.set(name, this.#inside(schema as Json, name))
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  schemas(): Json {
    return Object.fromEntries([...this.#used].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #inside(schema: Json, owner = ''): Json {
    const plain = tidyFormat(JSON.parse(keyOf(schema)))
    const { properties, items, additionalProperties } = plain
    if (properties) {
      const entries = Object.entries(properties).map(([name, inner]) => [
        name,
        explain(this.refer(inner), fieldWords(owner, name)),
      ])
      plain.properties = Object.fromEntries(entries)
    }
    if (items) plain.items = this.refer(items)
    if (typeof additionalProperties === 'object')
      plain.additionalProperties = this.refer(additionalProperties)
    return plain
  }
}
