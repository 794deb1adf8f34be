import manifest from '../../package.json' with { type: 'json' }
import { type Endpoint, isBytes } from '../core/endpoint.ts'
import { Components, type Json } from './components.ts'
import { operationId } from './operation-id.ts'

/** An internal API as an OpenAPI document: every shape, but no texts for integrators. */

const describePath = (path: string): Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))

function describeQuery({ query }: Endpoint, components: Components): Json[] {
  return Object.entries(query?.properties ?? {}).map(([name, field]) => ({
    name,
    in: 'query',
    required: query!.required?.includes(name) ?? false,
    schema: components.refer(field),
  }))
}

function describeBody({ body, bodyIsOptional, parts }: Endpoint, components: Components): Json {
  const schema = parts ?? body
  if (!schema) return {}
  const type = parts ? 'multipart/form-data' : 'application/json'
  return {
    requestBody: { required: !bodyIsOptional, content: { [type]: { schema: components.refer(schema) } } },
  }
}

const describeResponses = ({ responses }: Endpoint, components: Components): Json =>
  Object.fromEntries(
    Object.entries(responses).map(([status, schema]) => {
      const description = 'Done'
      if (!schema) return [status, { description }]
      const type = isBytes(schema) ? '*/*' : 'application/json'
      return [status, { description, content: { [type]: { schema: components.refer(schema) } } }]
    }),
  )

const describeOperation = (definition: Endpoint, prefix: string, components: Components): Json => ({
  operationId: operationId(definition),
  tags: [definition.tag],
  summary: definition.summary,
  ...(definition.description && { description: definition.description }),
  'x-role': definition.isPublic ? null : (definition.minRole ?? 'operator'),
  parameters: [...describePath(prefix + definition.path), ...describeQuery(definition, components)],
  ...describeBody(definition, components),
  responses: describeResponses(definition, components),
})

interface Described {
  title: string
  /** The base path on the server. */
  url: string
  /** Groups of operations, by prefix. */
  groups: Record<string, Endpoint[]>
}

export function describeOwnApi({ title, url, groups }: Described): Json {
  const components = new Components()
  const paths: Record<string, Json> = {}
  for (const [prefix, definitions] of Object.entries(groups)) {
    for (const definition of definitions) {
      const path = prefix + definition.path
      const operation = describeOperation(definition, prefix, components)
      paths[path] = { ...paths[path], [definition.method.toLowerCase()]: operation }
    }
  }
  return {
    openapi: '3.1.0',
    info: { title, version: manifest.version },
    servers: [{ url }],
    paths,
    components: { schemas: components.schemas() },
  }
}
