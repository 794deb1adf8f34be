import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../src/core/config/config.ts'

/** Every parameter and body field of the three OpenAPI documents that takes a text. */

interface Schema {
  $ref?: string
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: Schema | boolean
  type?: string | string[]
  enum?: unknown[]
  examples?: unknown[]
  format?: string
  maxLength?: number
}

interface Parameter {
  $ref?: string
  name: string
  in: string
  schema?: Schema
}

interface Described {
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

interface Document {
  components: { schemas: Record<string, Schema>; parameters?: Record<string, Parameter> }
  servers: { url: string }[]
  paths: Record<string, Record<string, Described>>
}

/** The parts of a request, with a text in one place. */
export interface Sent {
  path: Record<string, string>
  query: Record<string, string>
  body: unknown
}

export interface Place {
  method: string
  /** The path template, from the root of the server. */
  path: string
  /** `path.ticket_id`, `query.q`, `body.change.subject` */
  name: string
  /** The number of characters that it accepts. Path ids count as short texts. */
  maxLength: number
  send(text: string): Sent
}

const samples: Record<string, unknown> = {
  email: 'someone@example.com',
  shortcut: 'short',
  content_format: 'text',
  url: 'http://127.0.0.1:9/',
}

const plain: Record<string, unknown> = { integer: 1, number: 1, boolean: true, array: [], object: {} }
const anId = '0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b12'

const typesOf = ({ type }: Schema): string[] => [type ?? []].flat()

function sampleOf(name: string, schema: Schema): unknown {
  const known = samples[name] ?? schema.enum?.[0] ?? schema.examples?.[0]
  if (known !== undefined) return known
  if (schema.format === 'uuid') return anId
  return plain[typesOf(schema)[0] ?? 'string'] ?? 'text'
}

const maxLengthOf = ({ maxLength = Number.POSITIVE_INFINITY }: Schema): number => maxLength

const last = (reference: string): string => reference.split('/').at(-1)!

/** Reads the schemas of a document and resolves their references. */
function readSchemas({ components }: Document) {
  /** Of several alternatives, the one that accepts a text, or else the first. */
  function open(schema: Schema): Schema {
    if (schema.$ref) return open(components.schemas[last(schema.$ref)]!)
    const choices = schema.anyOf?.map(open)
    return choices?.find(choice => typesOf(choice).includes('string')) ?? choices?.[0] ?? schema
  }

  function listTexts(given: Schema, at: string[] = []): { at: string[]; maxLength: number }[] {
    const schema = open(given)
    const { properties, items, additionalProperties: more } = schema
    if (properties)
      return Object.entries(properties).flatMap(([name, inner]) => listTexts(inner, [...at, name]))
    if (items) return listTexts(items, [...at, '0'])
    if (typeof more === 'object') return listTexts(more, [...at, 'key'])
    return typesOf(schema).includes('string') && !schema.enum ? [{ at, maxLength: maxLengthOf(schema) }] : []
  }

  /** Fills the required fields. `at` is the path to the text, or null if the text is elsewhere. */
  function fill(given: Schema, at: string[] | null, text: string, name = ''): unknown {
    const schema = open(given)
    const { properties, required = [], items, additionalProperties: more } = schema
    if (at?.length === 0) return text.slice(0, schema.maxLength)
    const [next, ...rest] = at ?? []
    if (properties) {
      const sent = Object.entries(properties).filter(([name]) => name === next || required.includes(name))
      return Object.fromEntries(
        sent.map(([name, inner]) => [name, fill(inner, name === next ? rest : null, text, name)]),
      )
    }
    if (next === undefined) return sampleOf(name, schema)
    if (items) return [fill(items, rest, text)]
    return { key: fill(more as Schema, rest, text) }
  }

  return { listTexts, fill }
}

function placesIn(document: Document, path: string, method: string, described: Described): Place[] {
  const { listTexts, fill } = readSchemas(document)
  const schema = described.requestBody?.content['application/json']?.schema
  const parameters = (described.parameters ?? []).map(one =>
    one.$ref ? document.components.parameters![last(one.$ref)]! : one,
  )
  const one = (name: string, maxLength: number, sent: (text: string) => Partial<Sent>): Place => ({
    method: method.toUpperCase(),
    path: document.servers[0]!.url.replace('{origin}', '') + path,
    name,
    maxLength,
    send: text => ({ path: {}, query: {}, body: schema && fill(schema, null, ''), ...sent(text) }),
  })
  const addressed = parameters.filter(({ in: where }) => where === 'path' || where === 'query')
  return [
    one('headers', Number.POSITIVE_INFINITY, () => ({})),
    ...addressed.map(({ name, in: where, schema = {} }) =>
      one(`${where}.${name}`, where === 'path' ? 100 : maxLengthOf(schema), text => ({
        [where]: { [name]: text },
      })),
    ),
    ...(schema ? listTexts(schema) : []).map(({ at, maxLength }) =>
      one(`body.${at.join('.')}`, maxLength, text => ({ body: fill(schema!, at, text) })),
    ),
  ]
}

/** Each operation also has the place `headers`; the caller chooses the header. */
export function placesOf(name: string): Place[] {
  const document: Document = JSON.parse(readFileSync(join(root, `docs/${name}.json`), 'utf8'))
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, described]) => placesIn(document, path, method, described)),
  )
}
