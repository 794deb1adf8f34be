import type { TSchema } from 'typebox'
import { requestTime } from '../core/time.ts'
import { fieldWords } from './field-words.ts'
import { names } from './names.ts'

export type Json = Record<string, unknown>

/** A schema apart from null and from what is said of it in one place. */
function reduce(schema: unknown): Json {
  const { description: _, default: __, examples: ___, ...core } = JSON.parse(JSON.stringify(schema)) as Json
  if (Array.isArray(core.type)) {
    const types = core.type.filter(type => type !== 'null')
    core.type = types.length === 1 ? types[0] : types
  }
  if (core.additionalProperties && !Object.keys(core.properties ?? {}).length) delete core.properties
  if (Array.isArray(core.enum)) core.enum = core.enum.filter(value => value !== null)
  return core
}

/** `nullable` changes the order of keywords. */
const keyOf = (core: Json): string =>
  JSON.stringify(Object.entries(core).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Of two names for one schema the first counts. */
const nameOf = new Map(
  Object.entries(names)
    .reverse()
    .map(([name, schema]) => [keyOf(reduce(schema)), name]),
)

/** TypeBox copies a schema where it is optional, so a named one is known by what it says and not by identity. */
export const componentName = (schema: TSchema): string | undefined => nameOf.get(keyOf(reduce(schema)))

const isNullable = ({ type }: Json): boolean => Array.isArray(type) && type.includes('null')

/** Formats of ours that JSON Schema knows nothing of, in words. */
const ownFormats: Record<string, { words: string; pattern: string }> = {
  digits: {
    words: `As a text: its digits, up to ${Number.MAX_SAFE_INTEGER}`,
    pattern: '^[1-9][0-9]{0,15}$',
  },
  tag: {
    words: 'At least one visible character, no control characters',
    pattern: '^[^,\\x00-\\x1f\\x7f-\\x9f]+$',
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

const limits = ['minimum', 'maximum']

const keywords: Record<string, string[]> = {
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  integer: limits,
  number: limits,
  array: ['items', 'minItems', 'maxItems'],
}

const pick = (schema: Json, wanted: string[]): Json =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => wanted.includes(name)))

/** Several types become one schema for each, because generators of clients know no others. */
function separateTypes(schema: Json): Json {
  const types = [schema.type].flat() as string[]
  if (types.filter(type => type !== 'null').length < 2) return schema
  const anyOf = types.map(type => ({ type, ...pick(schema, keywords[type] ?? []) }))
  const taken = new Set(['type', ...Object.values(keywords).flat()])
  return {
    ...pick(
      schema,
      Object.keys(schema).filter(name => !taken.has(name)),
    ),
    anyOf,
  }
}

/** A schema's own description wins. */
const explain = (shown: Json, description: string | undefined): Json =>
  description === undefined || shown.description ? shown : { ...shown, description }

/** Schemas as the document shows them: named ones become references, and are collected. */
export class Components {
  readonly #used = new Map<string, Json>()

  refer(schema: unknown): Json {
    const plain = JSON.parse(JSON.stringify(schema)) as Json
    const name = componentName(plain as TSchema)
    return name === undefined ? this.#inside(plain) : this.#referTo(name, plain)
  }

  schemas(): Json {
    return Object.fromEntries([...this.#used].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** Beside the reference stands what is said in this place only. */
  #referTo(name: string, schema: Json): Json {
    const named = names[name] as Json
    if (!this.#used.has(name)) {
      this.#used.set(name, {})
      const { description } = named
      this.#used.set(name, this.#inside({ ...reduce(named), ...(description ? { description } : {}) }, name))
    }
    const reference = { $ref: `#/components/schemas/${name}` }
    const notes = pick(schema, [
      'default',
      ...(schema.description === named.description ? [] : ['description']),
    ])
    return isNullable(schema)
      ? { anyOf: [reference, { type: 'null' }], ...notes }
      : { ...reference, ...notes }
  }

  #inside(schema: Json, owner = ''): Json {
    const plain = separateTypes(tidyFormat(schema))
    const { properties, items, additionalProperties, anyOf } = plain
    if (properties) {
      const entries = Object.entries(properties).map(([name, inner]) => [
        name,
        explain(this.refer(inner), fieldWords(owner, name)),
      ])
      plain.properties = Object.fromEntries(entries)
    }
    if (items) plain.items = this.refer(items)
    if (anyOf) plain.anyOf = (anyOf as Json[]).map(one => this.refer(one))
    if (typeof additionalProperties === 'object')
      plain.additionalProperties = this.refer(additionalProperties)
    return plain
  }
}
