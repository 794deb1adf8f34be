import Type from 'typebox'
import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { describeEvents } from './describe.ts'

const openObject = Type.Object({}, { additionalProperties: true })

export const eventDescription = Type.Object({
  name: Type.String({ examples: ['ticket.closed'] }),
  type: Type.String({ examples: ['ticket.closed'], description: 'The same as `name`' }),
  description: Type.String({ examples: ['A ticket is closed'] }),
  schema: Type.Object(
    {},
    { additionalProperties: true, description: 'JSON Schema of the body that a webhook receives' },
  ),
  sample: openObject,
})

export const eventCatalog = Type.Object({ items: Type.Array(eventDescription) })

export const eventEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/events/catalog',
    tag: 'Events',
    summary: 'List every event with its JSON Schema and a sample',
    description: 'What a webhook receives; the same for every project.',
    answers: { 200: eventCatalog },
    errors: [],
    run: async () => ({ items: describeEvents() }),
  }),
]
