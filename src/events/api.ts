import Type from 'typebox'
import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { openObject } from '../core/schema.ts'
import { eventName } from './catalogue.ts'
import { describeEvents } from './describe.ts'

/** Any event. The OpenAPI document has a schema for each type. */
export const anyEvent = Type.Object({}, { additionalProperties: true, title: 'Event' })

export const eventDescription = Type.Object({
  name: Type.Unsafe<string>({ ...eventName, examples: ['ticket.closed'] }),
  type: Type.Unsafe<string>({ ...eventName, examples: ['ticket.closed'], description: 'The same as `name`' }),
  description: Type.String({ examples: ['A ticket is closed'] }),
  schema: Type.Unsafe<object>({
    ...openObject,
    description: 'JSON Schema of the body that a webhook receives',
  }),
  sample: anyEvent,
})

export const eventCatalog = Type.Object({ items: Type.Array(eventDescription) })

export const eventEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/events/catalog',
    tag: 'Events',
    summary: 'List every event with its JSON Schema and a sample',
    description: 'Describes what webhooks receive. It is the same for every project.',
    responses: { 200: eventCatalog },
    errors: [],
    run: async () => ({ items: describeEvents() }),
  }),
]
