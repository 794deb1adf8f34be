import Type, { type Static } from 'typebox'
import { contactOfPerson, contactRef } from '../contacts/schema.ts'
import { customFields, nullable, oneOf, tags, text } from '../core/schema.ts'
import { content, contentFormat, mediaIds, newConversation, newReply } from '../messages/schema.ts'
import { priorities, ticketStatuses } from './status.ts'

/** The shapes of requests that create a ticket. */

const subject = text(255, { examples: ['Cannot pay'] })
const reference = Type.String()

export const newTicket = Type.Object({
  contact: contactRef,
  channel: Type.Optional(
    Type.String({
      default: 'api',
      pattern: '^(api|phone|walk_in|telegram|custom:[a-z0-9_-]{1,32})$',
      description:
        '`phone` and `walk_in` are for calls and visits. With `telegram` or `custom:<name>`, the content is sent to the chat that the contact has in this channel, instead of being a message from the contact',
      examples: ['phone'],
    }),
  ),
  is_internal: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Makes the content your internal note, instead of a message from the contact',
    }),
  ),
  subject: Type.Optional(nullable(subject)),
  status: Type.Optional(oneOf(ticketStatuses, { default: 'new' })),
  priority: Type.Optional(oneOf(priorities, { default: 'normal' })),
  content: Type.Optional(nullable(content)),
  content_format: Type.Optional(contentFormat),
  media_ids: Type.Optional(mediaIds),
  department_id: Type.Optional(nullable(reference)),
  operator_id: Type.Optional(nullable(reference)),
  tags: Type.Optional(tags),
  custom_fields: Type.Optional(customFields),
  external_id: Type.Optional(nullable(text(255, { minLength: 1 }))),
  ...newConversation,
})
export type NewTicket = Static<typeof newTicket>

/** A ticket that a person creates. */
export const newTicketOfPerson = Type.Object({
  ...newTicket.properties,
  contact: contactOfPerson,
  mentions: newReply.properties.mentions,
})
export type NewTicketOfPerson = Static<typeof newTicketOfPerson>
