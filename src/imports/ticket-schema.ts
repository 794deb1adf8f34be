import Type, { type Static } from 'typebox'
import { customFields, nullable, oneOf, tags, text, timeInput } from '../core/schema.ts'
import { contactIdentities } from '../messages/schema.ts'
import { closerType, priorities, ticketStatuses } from '../tickets/schema.ts'
import {
  type ImportedContact,
  importedAddress,
  importedContact,
  optionalTime,
  sourceId,
} from './contact-schema.ts'
import { importedMessage, importedOperator } from './message-schema.ts'

/** A ticket from another system. */

export const maxImportedItems = 100

const closer = Type.Object({
  type: closerType,
  id: Type.Optional(nullable(Type.String())),
  email: Type.Optional(nullable(text(254, { description: 'The operator who closed it' }))),
})

const participant = Type.Object({
  address: importedAddress,
  name: Type.Optional(nullable(text(255))),
  is_removed: Type.Optional(Type.Boolean({ default: false })),
  changed_at: optionalTime({
    description: 'When the participant was added or removed; by default, the time of the import',
  }),
})

const widget = Type.Object({
  surface: oneOf(['widget', 'page'], {
    description: 'Whether the chat was embedded in a website or had its own page',
  }),
  locale: Type.Optional(nullable(text(35))),
  page_url: Type.Optional(nullable(text(2_048))),
})

/** Each keyword of JSON Schema applies only to values of its type, so those for strings and for objects can be combined. */
const contactOfTicket = Type.Unsafe<string | ImportedContact>({
  ...importedContact,
  title: 'ContactOfImportedTicket',
  type: ['string', 'object'],
  minLength: 1,
  maxLength: 255,
  description: 'The `source_id` of an imported contact, or a contact that is imported with the ticket',
})

export const importedTicket = Type.Object(
  {
    source_id: sourceId({ description: 'The id of the ticket in the other system' }),
    number: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 1,
          maximum: 999_999_999_999,
          description: 'Kept as `short_id` if no ticket of the project has it',
        }),
      ),
    ),
    subject: Type.Optional(nullable(text(255, { examples: ['Cannot pay'] }))),
    status: oneOf(ticketStatuses),
    priority: Type.Optional(oneOf(priorities, { default: 'normal' })),
    channel: Type.Optional(text(64, { minLength: 1, default: 'api' })),
    contact: contactOfTicket,
    operator: Type.Optional(nullable(importedOperator)),
    department: Type.Optional(nullable(text(255, { description: 'The name of a department' }))),
    tags: Type.Optional(tags),
    custom_fields: Type.Optional(customFields),
    external_id: Type.Optional(nullable(text(255, { minLength: 1 }))),
    language: Type.Optional(nullable(text(35))),
    is_spam: Type.Optional(Type.Boolean({ default: false })),
    rating: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 5 }))),
    rating_comment: Type.Optional(nullable(text(2_000))),
    rated_at: optionalTime({ description: 'When the contact rated the ticket' }),
    snoozed_until: optionalTime({ description: 'A time in the past is left out' }),
    closed_at: optionalTime({
      description: 'By default, the time of the last message. Only for closed tickets',
    }),
    closed_by: Type.Optional(nullable(closer)),
    resolution_secs: Type.Optional(
      nullable(Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'By default, computed' })),
    ),
    reopened_count: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 })),
    merged_into: Type.Optional(
      nullable(sourceId({ description: 'The ticket into which this one was merged' })),
    ),
    follow_up_of: Type.Optional(
      nullable(sourceId({ description: 'The closed ticket that this one continues' })),
    ),
    contact_identity: Type.Optional(nullable(oneOf(contactIdentities))),
    participants: Type.Optional(Type.Array(participant, { maxItems: 100 })),
    widget: Type.Optional(nullable({ ...widget, description: 'Where a chat on the website began' })),
    created_at: timeInput,
    updated_at: optionalTime({ description: 'By default, the time of the last known change' }),
    first_reply_at: optionalTime({ description: 'By default, computed from the messages' }),
    first_bot_reply_at: optionalTime({ description: 'By default, computed from the messages' }),
    last_contact_message_at: optionalTime({ description: 'By default, computed from the messages' }),
    last_operator_message_at: optionalTime({ description: 'By default, computed from the messages' }),
    waiting_since: optionalTime({
      description: 'Since when the contact has been waiting for an answer; by default null',
    }),
    messages: Type.Optional(Type.Array(importedMessage, { maxItems: maxImportedItems })),
  },
  { title: 'ImportedTicket' },
)
export type ImportedTicket = Static<typeof importedTicket>

/** A message of a ticket that was imported before. */
export const importedLaterMessage = Type.Object(
  { ticket: sourceId({ description: 'The ticket of the message' }), ...importedMessage.properties },
  { title: 'ImportedLaterMessage' },
)
export type ImportedLaterMessage = Static<typeof importedLaterMessage>
