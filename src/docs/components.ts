import type { TSchema } from 'typebox'
import { asList, asRecord } from '../core/objects.ts'
import { requestTime } from '../core/time.ts'
import { fieldWords } from './field-words.ts'
import { names } from './names.ts'

export type Json = Record<string, unknown>

/** A copy without what JSON cannot hold. */
const copyOf = (schema: unknown): Json => asRecord(JSON.parse(JSON.stringify(schema)))

/** A schema without null and without the description of one place. */
function reduce(schema: unknown): Json {
  const { description: _, default: __, examples: ___, ...core } = copyOf(schema)
  if (Array.isArray(core.type)) {
    const types = core.type.filter(type => type !== 'null')
    core.type = types.length === 1 ? types[0] : types
  }
  if (core.additionalProperties && !Object.keys(core.properties ?? {}).length) delete core.properties
  if (Array.isArray(core.enum)) core.enum = core.enum.filter(value => value !== null)
  return core
}

/** Sorts the keywords, because `nullable` changes their order. */
const keyOf = (core: Json): string =>
  JSON.stringify(Object.entries(core).sort(([a], [b]) => (a < b ? -1 : 1)))

/** If a schema has two names, the first is used. */
const nameOf = new Map(
  Object.entries(names)
    .reverse()
    .map(([name, schema]) => [keyOf(reduce(schema)), name]),
)

/** Compares by content, because TypeBox copies a schema that is optional. */
export const componentName = (schema: TSchema): string | undefined => nameOf.get(keyOf(reduce(schema)))

const isNullable = ({ type }: Json): boolean => Array.isArray(type) && type.includes('null')

/** Descriptions of our formats that JSON Schema does not define. */
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

/** Splits several types into one schema each, because client generators do not support lists of types. */
function separateTypes(schema: Json): Json {
  const types = [schema.type].flat().map(String)
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

/** The schema's own description takes precedence. */
const explain = (shown: Json, description: string | undefined): Json =>
  description === undefined || shown.description ? shown : { ...shown, description }

/** Prepares schemas for the document: named ones become references and are collected. */
export class Components {
  readonly #used = new Map<string, Json>()

  refer(schema: unknown): Json {
    const plain = copyOf(schema)
    const name = componentName(plain)
    return name === undefined ? this.#inside(plain) : this.#referTo(name, plain)
  }

  schemas(): Json {
    return Object.fromEntries([...this.#used].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** A reference, with the description of this place beside it. */
  #referTo(name: string, schema: Json): Json {
    const named = asRecord(names[name])
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
    if (anyOf) plain.anyOf = asList(anyOf).map(one => this.refer(one))
    if (typeof additionalProperties === 'object')
      plain.additionalProperties = this.refer(additionalProperties)
    return plain
  }
}
