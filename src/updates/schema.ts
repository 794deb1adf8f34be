import Type from 'typebox'
import { id, openObject } from '../core/schema.ts'
import { eventName } from '../events/catalogue.ts'

/** Below the 60 seconds after which proxies commonly cut a silent connection. */
export const maxWaitSeconds = 55

export const updatesQuery = Type.Object({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'The `last_seq` of the answer before. `0` is the oldest event that is kept; without it only events from now on are answered',
      examples: [90210],
    }),
  ),
  timeout: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: maxWaitSeconds,
      default: 25,
      description: 'Seconds to wait when there is no event yet',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 100 })),
  events: Type.Optional(
    Type.Array(eventName, {
      maxItems: 100,
      description: 'Event names; empty means all events',
      examples: [['ticket.created', 'message.created']],
    }),
  ),
})

export const update = Type.Object({
  seq: Type.Integer({
    description: 'Its number in the log of the project; there are no gaps between numbers',
  }),
  id: Type.String({ description: '32 hex characters, the same as in the webhook of the event' }),
  type: eventName,
  timestamp: Type.String({ format: 'date-time', description: 'With microseconds and offset' }),
  workspace_id: id,
  data: openObject,
  _links: openObject,
})

export const updates = Type.Object({
  items: Type.Array(update, { description: 'Oldest first' }),
  last_seq: Type.Integer({ description: 'What to send as `after` next time' }),
  oldest_seq: Type.Integer({ description: 'The oldest event that is kept' }),
  has_more: Type.Boolean({ description: 'More events are there already' }),
  gap: Type.Boolean({
    description: 'Events after `after` are no longer kept: read again what may have changed meanwhile',
  }),
})
