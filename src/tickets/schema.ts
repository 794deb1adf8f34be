import Type, { type Static } from 'typebox'
import {
  customFields,
  id,
  links,
  list,
  nullable,
  oneOf,
  shownFields,
  tags,
  text,
  time,
  timeInput,
} from '../core/schema.ts'
import { contactIdentities, content, senderTypes } from '../messages/schema.ts'
import { priorities, ticketStatuses } from './status.ts'

export * from './new-ticket-schema.ts'
export * from './query-schema.ts'
export { priorities, ticketStatuses }

const reference = Type.String()
const status = oneOf(ticketStatuses)
const priority = oneOf(priorities)

export const ticketChange = Type.Object({
  subject: Type.Optional(text(255, { minLength: 1 })),
  status: Type.Optional(status),
  priority: Type.Optional(priority),
  operator_id: Type.Optional(nullable(reference)),
  department_id: Type.Optional(nullable(reference)),
  tags: Type.Optional(tags),
  custom_fields: Type.Optional(customFields),
  snoozed_until: Type.Optional(nullable(timeInput)),
  external_id: Type.Optional(nullable(text(255, { minLength: 1 }))),
  is_spam: Type.Optional(Type.Boolean()),
})
export type TicketChange = Static<typeof ticketChange>

export const closing = Type.Object({
  comment: Type.Optional(nullable(content)),
  is_internal: Type.Optional(Type.Boolean({ default: true })),
})
export type Closing = Static<typeof closing>

export const reopening = Type.Object({ comment: Type.Optional(nullable(content)) })

export const ratingInput = Type.Object({
  rating: Type.Integer({ minimum: 1, maximum: 5 }),
  comment: Type.Optional(nullable(text(2_000))),
})
export type Rating = Static<typeof ratingInput>

export const merging = Type.Object({
  into_ticket_id: reference,
  force: Type.Optional(Type.Boolean({ default: false })),
})
export type Merging = Static<typeof merging>

const maybeText = nullable(Type.String())
const timeOrNull = nullable(time)
const maybeObject = <T extends Parameters<typeof Type.Object>[0]>(fields: T) => nullable(Type.Object(fields))
export const closerType = oneOf(['operator', 'api', 'contact', 'system'])

const utf16 = (description: string) => Type.Integer({ minimum: 0, description })

const highlight = Type.Object(
  {
    field: oneOf(['subject', 'content']),
    message_id: nullable(id),
    start: utf16('In UTF-16 code units of the subject, or of the plain text of the message'),
    end: utf16('After the last code unit'),
  },
  { title: 'Highlight' },
)
export type Highlight = Static<typeof highlight>

const snippet = Type.Object(
  {
    message_id: id,
    start: utf16('Where it starts in the plain text of the message, in UTF-16 code units'),
    text: Type.String(),
  },
  { title: 'Snippet', description: 'In responses to `q`: the part of that message around the first match' },
)

export const ticket = Type.Object(
  {
    id,
    short_id: Type.String({ examples: ['1042'] }),
    workspace_id: id,
    subject: maybeText,
    status,
    priority,
    channel: Type.String({ examples: ['api'] }),
    contact_id: id,
    contact: Type.Object({
      id,
      full_name: maybeText,
      email: maybeText,
      telegram_id: nullable(Type.Integer()),
      phone: maybeText,
      avatar_url: maybeText,
      is_blocked: Type.Boolean(),
    }),
    contact_identity: nullable(oneOf(contactIdentities)),
    operator_id: nullable(id),
    operator: maybeObject({ id, name: Type.String(), avatar_url: maybeText }),
    department_id: nullable(id),
    department_name: maybeText,
    tags: Type.Array(Type.String()),
    custom_fields: shownFields,
    external_id: maybeText,
    is_spam: Type.Boolean(),
    over_limit: Type.Boolean(),
    language: maybeText,
    rating: nullable(Type.Integer()),
    rating_comment: maybeText,
    rated_at: timeOrNull,
    messages_count: Type.Integer(),
    last_message: maybeObject({
      id,
      sender_type: oneOf(senderTypes),
      preview: Type.String(),
      created_at: time,
    }),
    created_at: time,
    updated_at: time,
    first_reply_at: timeOrNull,
    first_bot_reply_at: timeOrNull,
    last_contact_message_at: timeOrNull,
    last_operator_message_at: timeOrNull,
    waiting_since: timeOrNull,
    snoozed_until: timeOrNull,
    closed_at: timeOrNull,
    closed_by: maybeObject({
      type: closerType,
      id: nullable(id),
      name: maybeText,
    }),
    resolution_secs: nullable(Type.Integer()),
    reopened_count: Type.Integer(),
    sla: Type.Object({
      first_reply_due_at: timeOrNull,
      next_reply_due_at: timeOrNull,
      resolution_due_at: timeOrNull,
      breached: Type.Array(Type.String()),
    }),
    merged_into_id: nullable(id),
    follow_up_of_id: nullable(id),
    version: Type.Integer(),
    highlights: Type.Optional(
      Type.Array(highlight, {
        description:
          'In responses to `q`: where the words are, in the subject and in the newest message that has them',
      }),
    ),
    snippet: Type.Optional(nullable(snippet)),
    _links: links('self', 'ticket', 'messages', 'contact'),
  },
  { title: 'Ticket' },
)
export type Ticket = Static<typeof ticket>

export const ticketList = list(ticket)

export const messageSplit = Type.Object({
  with_later: Type.Optional(
    Type.Boolean({ default: false, description: 'Also moves the later messages of the same sender' }),
  ),
  subject: Type.Optional(
    nullable(text(255, { description: "By default the email's subject, or the beginning of the content" })),
  ),
})
export type MessageSplit = Static<typeof messageSplit>
