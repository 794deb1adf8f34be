import { eventTypes, subscribable, testEvent } from '../events/catalogue.ts'
import { update } from '../updates/schema.ts'
import type { Json } from './components.ts'
import { capitalized } from './event-names.ts'

/** Event schemas that are stricter in the document than in the server: event names, and the union of all events. */

const refer = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

/** One of several schemas, by the field `type`. */
function oneOfThem(events: readonly string[], suffix: string, description: string): Json {
  const references = events.map(event => [event, refer(capitalized(event) + suffix)] as const)
  return {
    description,
    oneOf: references.map(([, reference]) => reference),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(references.map(([event, { $ref }]) => [event, $ref])),
    },
  }
}

const numbered = (event: string): Json => ({
  allOf: [
    refer(`${capitalized(event)}Event`),
    { type: 'object', properties: { seq: update.properties.seq }, required: ['seq'] },
  ],
})

export const eventSchemas: Json = {
  EventType: {
    type: 'string',
    enum: subscribable,
    description: `Name of an event. More may be added, so list the ones you handle. \`${testEvent}\` is sent only by the test operation`,
  },
  Event: oneOfThem(subscribable, 'Event', 'The body that a webhook receives'),
  Update: oneOfThem(eventTypes, 'Update', 'An event with its number in the log'),
  ...Object.fromEntries(eventTypes.map(event => [`${capitalized(event)}Update`, numbered(event)])),
}
