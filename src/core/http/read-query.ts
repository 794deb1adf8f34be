import type { TObject } from 'typebox'

/** Query parameters are strings. The schema says how to parse them. */

type Field = { type?: string | string[]; items?: Field }
type Fields = Record<string, Field>
export type Query = Record<string, string | string[]>

export const fieldsOf = ({ properties }: TObject): Fields => properties

export const typeOf = (field: Field | undefined): string | undefined =>
  field && [field.type].flat().find(type => type !== 'null')

/** The name and the key of `custom_fields[order]`. */
function splitName(name: string): [string, string] | null {
  const at = name.indexOf('[')
  return at > 0 && name.endsWith(']') ? [name.slice(0, at), name.slice(at + 1, -1)] : null
}

/** Whether the schema of a query has a parameter with this name. */
export function isKnownParameter(schema: TObject | undefined, name: string): boolean {
  const fields = schema ? fieldsOf(schema) : {}
  const [object = ''] = splitName(name) ?? []
  return Object.hasOwn(fields, name) || (Object.hasOwn(fields, object) && typeOf(fields[object]) === 'object')
}

/** `5.0` is an integer, as in JSON Schema. Integers that a number cannot hold exactly stay strings. */
function readInteger(text: string): number | string {
  const number = /^[+-]?\d{1,16}(\.0+)?$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(number) ? number : text
}

function readText(text: string, type: string | undefined): unknown {
  if (type === 'integer') return readInteger(text)
  if (type === 'boolean') return /^(true|1)$/i.test(text) ? true : /^(false|0)$/i.test(text) ? false : text
  return text
}

const lastOf = (sent: string | string[]): string => [sent].flat().at(-1)!

/** Reads `name[key]=value` for each key. `name=value` is not an object and stays a string. */
function readObject(name: string, query: Query): unknown {
  if (query[name] !== undefined) return lastOf(query[name])
  const pairs = Object.entries(query).flatMap(([sent, value]) => {
    const [object, key = ''] = splitName(sent) ?? []
    return object === name ? [[key, lastOf(value)] as const] : []
  })
  return pairs.length ? Object.fromEntries(pairs) : undefined
}

function readField(name: string, field: Field, query: Query): unknown {
  const type = typeOf(field)
  if (type === 'object') return readObject(name, query)
  const sent = query[name]
  if (sent === undefined) return undefined
  if (type !== 'array') return readText(lastOf(sent), type)
  const parts = [sent].flat().flatMap(text => text.split(','))
  return parts.map(part => readText(part, typeOf(field.items)))
}

/** Parses numbers and booleans. Lists may be repeated parameters or separated by commas. */
export function readQuery(fields: Fields, query: Query): Record<string, unknown> {
  const read = Object.entries(fields).map(([name, field]) => [name, readField(name, field, query)] as const)
  return Object.fromEntries(read.filter(([, value]) => value !== undefined))
}
