import manifest from '../../package.json' with { type: 'json' }
import type { Endpoint } from '../core/endpoint.ts'
import { Components, type Json } from './components.ts'
import { eventSchemas } from './event-schemas.ts'
import { describeOperation } from './operation.ts'
import { sharedResponses } from './responses.ts'
import { headers, parameters } from './shared.ts'
import { describeWebhooks } from './webhooks.ts'

const about = `Access to the tickets, messages, contacts, files and webhooks of the project that the API key belongs to.
[Build on the API](/docs/api) complements this reference.

- Ids are UUIDs; in paths, a ticket's \`short_id\` works too. Malformed ids and ids of other projects are treated as missing records.
- Times are UTC without a suffix (\`2026-01-15T10:30:00.123456\`); requests may also send an offset, or a date.
  Only the \`timestamp\` of an event has an offset, \`+00:00\`.
- All fields of a response are always present, \`null\` if empty. Unknown fields of a request are ignored. Unknown query
  parameters are ignored too; the response header \`X-Ignored-Parameters\` lists them.
- An error has one of three kinds of body: if it has an \`error_code\`, branch on that; otherwise read \`detail\`, a string or a list.
  [Errors](/docs/errors) lists all errors.
- Keep keys on servers: web pages of other origins cannot call the API, because responses have no CORS headers.
- Lists accept \`page\` and \`page_size\`, or \`cursor\`. The response's \`next_cursor\` and its \`Link\` header give the next page.`

/** A link to a guide, which every server has beside the document. */
const guide = (origin: string, name: string, description: string): Json => ({
  externalDocs: { url: `${origin}/docs/${name}`, description },
})

const describeTags = (origin: string): Json[] => [
  { name: 'Tickets', description: 'Conversations with a contact, from the first question to the rating' },
  { name: 'Messages', description: 'The messages in a ticket' },
  {
    name: 'Drafts',
    description: 'Replies that operators have not sent yet, including those that programs have prepared',
  },
  { name: 'Contacts', description: 'The people who contact you' },
  { name: 'Organizations', description: 'The companies to which contacts belong' },
  { name: 'Files', description: 'Files attached to messages' },
  {
    name: 'Knowledge base',
    description: 'Read and search published articles and their categories',
    ...guide(origin, 'knowledge-base', 'How to import articles'),
  },
  {
    name: 'Webhooks',
    description: 'Where events are sent, and the result of each delivery',
    ...guide(origin, 'events', 'Headers, signatures, retries, and every event'),
  },
  { name: 'Project', description: 'The project that owns the key, with its plan' },
  { name: 'Operators and departments', description: 'The people who answer' },
  {
    name: 'Import',
    description: 'Tickets, contacts and messages from another system, with their history',
    ...guide(origin, 'import', 'How to import, and how to remove an import'),
  },
  {
    name: 'Personal data',
    description: 'Delete a contact or a ticket with all their data, and export the data of a contact',
    ...guide(origin, 'personal-data', 'What is deleted and exported, and what remains'),
  },
  { name: 'Tags', description: 'Labels for tickets and contacts' },
  {
    name: 'Custom fields',
    description: 'Fields that the project has defined for its tickets, contacts and organizations',
  },
  { name: 'Channels', description: 'Messengers that your own programs connect' },
  { name: 'E-mail', description: 'The mailboxes of the project, and every mail that they received' },
  {
    name: 'Events',
    description: 'Events of the project: pushed to webhooks, or read by long polling',
    ...guide(origin, 'events', 'Every event with its fields and an example'),
  },
  { name: 'Documentation', description: 'This document' },
]

const sortNames = (schemas: Json): Json =>
  Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))

function describePaths(definitions: Endpoint[], components: Components): Json {
  const paths: Record<string, Json> = {}
  for (const definition of definitions) {
    const operation = describeOperation(definition, components, definitions)
    paths[definition.path] = { ...paths[definition.path], [definition.method.toLowerCase()]: operation }
  }
  return paths
}

const describeServer = (origin: string): Json => ({
  url: '{origin}/api/v1',
  description: 'A Deskbell installation',
  variables: { origin: { default: origin, description: 'The URL of the installation, without a path' } },
})

/** The public API of the installation at this address, as an OpenAPI 3.1 document. */
export function buildOpenApi(definitions: Endpoint[], origin = 'http://localhost:3000'): Json {
  const components = new Components()
  const paths = describePaths(definitions, components)
  const webhooks = describeWebhooks(components)
  const responses = sharedResponses(components)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Deskbell API',
      version: manifest.version,
      description: about,
      contact: { name: 'The administrator of this installation', url: origin },
      // The license of the document, so that generated clients can be used anywhere. The README explains it.
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [describeServer(origin)],
    security: [{ apiKey: [] }],
    ...guide(origin, 'guides', 'Guides for integrators and operators'),
    tags: describeTags(origin),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key of the project; it begins with `sk_`',
        },
      },
      schemas: sortNames({ ...components.schemas(), ...eventSchemas }),
      responses,
      parameters,
      headers,
    },
  }
}
