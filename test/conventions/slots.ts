import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../src/core/config/config.ts'

/** Every parameter and body field of the three OpenAPI documents that takes the id of a record. */

interface Schema {
  $ref?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  type?: string | string[]
  enum?: unknown[]
  examples?: unknown[]
  format?: string
}

interface Described {
  parameters?: { name: string; in: string }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

export interface Slot {
  /** openapi, dashboard, widget */
  document: string
  method: string
  path: string
  /** `path.ticket_id`, `query.view`, `body.change.operator_id` */
  place: string
  /** A body that matches its schema and has this id in the place; undefined if the operation has no body. */
  bodyWith(id: string): unknown
}

/** Ids that the caller chooses, or that are not of a record. */
const foreignNames =
  /^(?:external_id|telegram_id|client_id|request_id|access_key_id|authserv_ids|project_id|session_id|tab|token)$/
const idNames = /(?:^|_)ids?$|^(?:mentions|tickets_to|view|articles|categories)$/
const isId = (name: string): boolean => idNames.test(name) && !foreignNames.test(name)

const samples: Record<string, unknown> = {
  action: 'read',
  api_root: 'http://127.0.0.1:9',
  content: 'x',
  email: 'someone@example.com',
  shortcut: 'short',
  tab: '0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b12',
  content_format: 'text',
}

interface Schemas {
  components: { schemas: Record<string, Schema> }
  paths: Record<string, Record<string, Described>>
}

function slotsOf(document: string): Slot[] {
  const { components, paths }: Schemas = JSON.parse(readFileSync(join(root, `docs/${document}.json`), 'utf8'))
  const open = (schema: Schema): Schema =>
    schema.$ref ? open(components.schemas[schema.$ref.split('/').at(-1)!]!) : schema

  /** The paths of id fields below a schema. */
  function placesIn(given: Schema, path: string[] = []): string[][] {
    const { properties, items } = open(given)
    if (properties)
      return Object.entries(properties).flatMap(([name, inner]) => placesIn(inner, [...path, name]))
    if (items) return placesIn(items, path)
    return isId(path.at(-1) ?? '') ? [path] : []
  }

  /** Fills the required fields, and those that lead to the place. */
  function fill(given: Schema, [next, ...rest]: string[], id: string, name = ''): unknown {
    const schema = open(given)
    const { properties, required = [], items } = schema
    if (items)
      return next === undefined && !isId(name)
        ? []
        : [fill(items, [next!, ...rest].filter(Boolean), id, name)]
    if (properties) {
      const chosen = Object.entries(properties).filter(([name]) => name === next || required.includes(name))
      return Object.fromEntries(
        chosen.map(([name, inner]) => [name, fill(inner, name === next ? rest : [], id, name)]),
      )
    }
    if (isId(name)) return id
    return samples[name] ?? schema.enum?.[0] ?? schema.examples?.[0] ?? plain(schema)
  }

  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [], requestBody }]) => {
      const schema = requestBody?.content['application/json']?.schema
      const one = (place: string, at: string[] = []): Slot => ({
        document,
        method: method.toUpperCase(),
        path,
        place,
        bodyWith: id => schema && fill(schema, at, id),
      })
      const named = parameters.filter(({ name, in: where }) => where !== 'header' && isId(name ?? ''))
      return [
        ...named.map(({ name, in: where }) => one(`${where}.${name}`)),
        ...(schema ? placesIn(schema) : []).map(at => one(`body.${at.join('.')}`, at)),
      ]
    }),
  )
}

const plain = ({ type }: Schema): unknown =>
  ({ integer: 1, number: 1, boolean: true, array: [], object: {}, string: 'text' })[
    [type].flat()[0] ?? 'string'
  ]

export const slots: Slot[] = ['openapi', 'dashboard', 'widget'].flatMap(slotsOf)
