import Type from 'typebox'
import { id, openObject } from '../core/schema.ts'
import { eventName } from '../events/catalogue.ts'

/** Less than the 60 seconds after which proxies usually close an idle connection. */
export const maxWaitSeconds = 55

export const updatesQuery = Type.Object({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'The `last_seq` of the previous response. `0` starts at the oldest stored event; without it, only events from now on are returned',
      examples: [90210],
    }),
  ),
  timeout: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: maxWaitSeconds,
      default: 25,
      description: 'Seconds to wait if there is no event yet',
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
    description: 'The number of the event in the log of the project, without gaps',
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
  last_seq: Type.Integer({ description: 'Send this as `after` in the next request' }),
  oldest_seq: Type.Integer({ description: 'The number of the oldest event that is still stored' }),
  has_more: Type.Boolean({ description: 'Whether more events are already available' }),
  gap: Type.Boolean({
    description:
      'Whether events after `after` have already been deleted: read again what may have changed since',
  }),
})
