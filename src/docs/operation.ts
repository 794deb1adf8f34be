import type { Endpoint } from '../core/endpoint.ts'
import type { Components, Json } from './components.ts'
import { exampleBody } from './examples.ts'
import { operationId } from './operation-id.ts'
import { describeResponses } from './responses.ts'
import { refer } from './shared.ts'

const pathWords: Record<string, { description: string; example: string }> = {
  ticket_id: { description: "The ticket's `id`, or its `short_id`", example: '1042' },
  contact_id: {
    description:
      "The contact's `id`, or `email:ann@example.com`, `telegram:12345678`, `external:user-42` in its place",
    example: 'email:ann@example.com',
  },
  message_id: { description: "The message's `id`", example: '0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b11' },
  webhook_id: { description: "The webhook's `id`", example: '0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b12' },
  delivery_id: { description: "The delivery's `id`", example: '0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b13' },
}

function describePath(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    const words = pathWords[name!]
    if (!words) throw new Error(`Say in src/docs/operation.ts what {${name}} of a path is`)
    return { name, in: 'path', required: true, ...words, schema: { type: 'string' } }
  })
}

/** What every parameter of its kind has in common; lists are read by src/core/validate.ts. */
function kindWords(name: string, { type }: Json): string[] {
  return [
    ...(name.endsWith('_after') ? ['At this time or later'] : []),
    ...(name.endsWith('_before') ? ['Before this time'] : []),
    ...([type].flat().includes('array') ? ['Several: repeat the parameter, or put commas between'] : []),
  ]
}

function describeQuery({ query }: Endpoint, components: Components): Json[] {
  return Object.entries(query?.properties ?? {}).map(([name, field]) => {
    const { description, ...schema } = components.refer(field)
    const words = [...(description ? [description] : []), ...kindWords(name, schema)].join('. ')
    return { name, in: 'query', ...(words && { description: words }), schema }
  })
}

function describeParameters(definition: Endpoint, components: Components): Json[] {
  const headers = [
    'X-Request-ID',
    ...(definition.isIdempotent ? ['Idempotency-Key'] : []),
    ...(definition.isConditional ? ['If-Match'] : []),
  ]
  return [
    ...describePath(definition.path),
    ...describeQuery(definition, components),
    ...headers.map(name => refer('parameters', name)),
  ]
}

function describeBody(definition: Endpoint, components: Components): Json {
  const { body, bodyIsOptional } = definition
  if (!body) return {}
  const content = { 'application/json': { schema: components.refer(body), example: exampleBody(definition) } }
  return { requestBody: { required: !bodyIsOptional, content } }
}

/** One operation of the API as OpenAPI describes it. */
export const describeOperation = (definition: Endpoint, components: Components): Json => ({
  operationId: operationId(definition),
  tags: [definition.tag],
  summary: definition.summary,
  ...(definition.description && { description: definition.description }),
  ...(definition.isPublic && { security: [] }),
  parameters: describeParameters(definition, components),
  ...describeBody(definition, components),
  responses: describeResponses(definition, components),
})
