import type { Endpoint } from '../core/endpoint.ts'
import { sourceNamePattern } from '../imports/schema.ts'
import type { Components, Json } from './components.ts'
import { exampleBody } from './examples.ts'
import { operationId } from './operation-id.ts'
import { describeResponses } from './responses.ts'
import { isDownload, refer } from './shared.ts'

interface PathWords {
  description: string
  example: string
  /** Values of another form are rejected with 422. Without a pattern, they are unknown, so the response is 404. */
  pattern?: RegExp
}

const pathWords: Record<string, PathWords> = {
  ticket_id: { description: "The ticket's `id`, or its `short_id`", example: '1042' },
  into_ticket_id: {
    description: 'The `id` of the ticket that remains',
    example: '0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b11',
  },
  contact_id: {
    description:
      "The contact's `id`, or an identifier such as `email:ann@example.com`, `telegram:12345678` or `external:user-42`",
    example: 'email:ann@example.com',
  },
  organization_id: {
    description: "The organization's `id`",
    example: '0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b21',
  },
  domain: { description: 'The part of an email address after the @', example: 'northwind.example' },
  into_contact_id: {
    description: 'The `id` of the other contact',
    example: '0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b11',
  },
  identity: {
    description:
      "The identity's type and value: `email:ann@example.com`, `telegram:12345678`, `external:user-42` or `channel:<channel id>:<external id>`",
    example: 'email:ann@example.com',
  },
  message_id: { description: "The message's `id`", example: '0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b11' },
  media_id: { description: "The file's `id`", example: '0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b14' },
  mailbox_id: { description: "The mailbox's `id`", example: '0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b17' },
  channel_id: { description: "The channel's `id`, or its name", example: 'signal' },
  external_id: { description: "The message's id in the messenger", example: 'm-1001' },
  deletion_id: { description: "The deletion's `id`", example: '0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b21' },
  source: {
    description: 'The name of the import: up to 64 lower-case letters, digits, dots, hyphens and underscores',
    example: 'zendesk',
    pattern: sourceNamePattern,
  },
  bot_id: { description: "The bot's `id`", example: '0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b20' },
  mail_id: {
    description: "The email's `id` in the mail log",
    example: '0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b18',
  },
  rule_id: { description: "The rule's `id`", example: '0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b19' },
  operator_id: { description: "The operator's `id`", example: '0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b20' },
  picture_id: { description: "The picture's `id`", example: '0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b15' },
  session_id: { description: "The session's `id`", example: '0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b16' },
  category_id: { description: "The category's `id`, or its slug", example: 'billing' },
  article_id: { description: "The article's `id`, or its slug", example: 'reset-your-password' },
  webhook_id: { description: "The webhook's `id`", example: '0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b12' },
  delivery_id: { description: "The delivery's `id`", example: '0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b13' },
}

function describePath(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    const words = pathWords[name!]
    if (!words) throw new Error(`Say in src/docs/operation.ts what {${name}} of a path is`)
    const { pattern, ...own } = words
    const schema = { type: 'string', ...(pattern && { pattern: pattern.source }) }
    return { name, in: 'path', required: true, ...own, schema }
  })
}

/** Remarks on all parameters of this kind. src/core/http/validate.ts parses lists. */
function kindWords(name: string, { type }: Json): string[] {
  return [
    ...(name.endsWith('_after') ? ['At this time or later'] : []),
    ...(name.endsWith('_before') ? ['Before this time'] : []),
    ...([type].flat().includes('array')
      ? ['For several values, repeat the parameter or separate them with commas']
      : []),
  ]
}

function describeQuery({ query }: Endpoint, components: Components): Json[] {
  return Object.entries(query?.properties ?? {}).map(([name, field]) => {
    const { description, ...own } = components.refer(field)
    const schema = own.type === 'integer' ? { maximum: Number.MAX_SAFE_INTEGER, ...own } : own
    const words = [...(description ? [description] : []), ...kindWords(name, schema)].join('. ')
    const style = own.type === 'object' && { style: 'deepObject', explode: true }
    return { name, in: 'query', ...(words && { description: words }), ...style, schema }
  })
}

function describeParameters(definition: Endpoint, components: Components): Json[] {
  const headers = [
    'X-Request-ID',
    ...(definition.isIdempotent ? ['Idempotency-Key'] : []),
    ...(definition.isConditional ? ['If-Match'] : []),
    ...(isDownload(definition) ? ['If-None-Match'] : []),
    ...(definition.responses[206] ? ['Range', 'If-Range'] : []),
  ]
  return [
    ...describePath(definition.path),
    ...describeQuery(definition, components),
    ...headers.map(name => refer('parameters', name)),
  ]
}

const exampleParts = { file: '(the bytes of the file)', filename: 'screenshot.png' }

function describeBody(definition: Endpoint, components: Components): Json {
  const { body, bodyIsOptional, parts } = definition
  if (parts) {
    const content = { 'multipart/form-data': { schema: components.refer(parts), example: exampleParts } }
    return { requestBody: { required: true, content } }
  }
  if (!body) return {}
  const content = { 'application/json': { schema: components.refer(body), example: exampleBody(definition) } }
  return { requestBody: { required: !bodyIsOptional, content } }
}

/** One operation in OpenAPI's form. Its links lead to operations of `all`. */
export const describeOperation = (definition: Endpoint, components: Components, all: Endpoint[]): Json => ({
  operationId: operationId(definition),
  tags: [definition.tag],
  summary: definition.summary,
  ...(definition.description && { description: definition.description }),
  ...(definition.isPublic && { security: [] }),
  parameters: describeParameters(definition, components),
  ...describeBody(definition, components),
  responses: describeResponses(definition, components, all),
})
