import Type, { type Static } from 'typebox'
import {
  id,
  links,
  list,
  nullable,
  oneOf,
  openObject,
  paging,
  text,
  time,
  timeInput,
} from '../core/schema.ts'
import { mediaItem } from '../media/schema.ts'
import { type MessageEmail, messageEmail } from './email-schema.ts'
import { newEmail } from './new-email-schema.ts'
import { undoLimits } from './undo.ts'

export * from './email-schema.ts'
export * from './new-email-schema.ts'

export const formats = ['text', 'markdown', 'html'] as const
export const contactIdentities = ['proved', 'typed', 'none'] as const
export type ContactIdentity = (typeof contactIdentities)[number]
export const senderTypes = ['contact', 'operator', 'bot', 'system'] as const
export { undoLimits }
export const maxContentLength = 65_536

export const contentFormat = oneOf(formats, { default: 'text' })
export const content = text(maxContentLength, { examples: ['Where is my order?'] })
export const mediaIds = Type.Array(Type.String(), { maxItems: 10 })

export const newMessage = Type.Object({
  content: Type.Optional(nullable(content)),
  content_format: Type.Optional(contentFormat),
  media_ids: Type.Optional(mediaIds),
  is_internal: Type.Optional(Type.Boolean({ default: false })),
  reply_to_id: Type.Optional(nullable(Type.String())),
  external_id: Type.Optional(nullable(text(255, { minLength: 1 }))),
  sender_name: Type.Optional(nullable(text(255, { minLength: 1 }))),
  send_at: Type.Optional(nullable(timeInput)),
  last_seen_message_id: Type.Optional(
    nullable(Type.String({ description: 'The newest message that the writer has seen' })),
  ),
  email: Type.Optional(nullable(newEmail)),
  unless_newer: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Refuses the message if others have written since `last_seen_message_id`',
    }),
  ),
})
export type NewMessage = Static<typeof newMessage>

/** What happens to the ticket after a reply. */
export const followUps = ['pending', 'leave', 'close'] as const
export type FollowUp = (typeof followUps)[number]

const { sender_name, ...ofAnybody } = newMessage.properties

/** A message written by a person. */
export const newReply = Type.Object({
  ...ofAnybody,
  mentions: Type.Optional(
    Type.Array(Type.String(), { maxItems: 50, description: 'Operators to notify of an internal note' }),
  ),
  undo_seconds: Type.Optional(
    Type.Integer({
      ...undoLimits,
      default: 0,
      description: 'How many seconds the message waits and can be withdrawn',
    }),
  ),
  can_undo: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Without `undo_seconds`, the reply waits for the time that the project has chosen for the channel. It does not wait while the visitor is in the chat',
    }),
  ),
  after_reply: Type.Optional(oneOf(followUps, { description: 'Overrides the setting of the project' })),
})
export type NewReply = Static<typeof newReply>

export const rescheduling = Type.Object({
  send_at: nullable({ ...timeInput, description: 'Null sends it immediately' }),
})

export const messageChange = Type.Object({
  content,
  content_format: Type.Optional(oneOf(formats)),
})
export type MessageChange = Static<typeof messageChange>

const maybeText = nullable(Type.String())

const reaction = Type.Object({
  emoji: Type.String(),
  reactor_kind: oneOf(['contact', 'operator']),
  reactor_id: id,
  created_at: time,
})

const deliveryStatuses = ['pending', 'scheduled', 'sent', 'delivered', 'read', 'failed'] as const

const delivery = Type.Object({
  status: oneOf(deliveryStatuses),
  error: maybeText,
  attempts: Type.Integer(),
  updated_at: time,
})

export const message = Type.Object(
  {
    id,
    ticket_id: id,
    workspace_id: id,
    sender_type: oneOf(senderTypes),
    sender_id: nullable(id),
    sender_name: maybeText,
    sender_avatar_url: maybeText,
    contact_identity: nullable(oneOf(contactIdentities)),
    content: Type.String(),
    content_format: oneOf(formats),
    content_html: Type.String(),
    is_internal: Type.Boolean(),
    media: Type.Array(mediaItem),
    reply_to_id: nullable(id),
    reactions: Type.Array(reaction),
    channel: Type.String(),
    external_id: maybeText,
    key_id: nullable(id),
    delivery,
    send_at: nullable(time),
    email: Type.Unsafe<MessageEmail | null>(nullable(messageEmail)),
    system: Type.Unsafe<Record<string, unknown> | null>(nullable(openObject)),
    version: Type.Integer(),
    created_at: time,
    updated_at: time,
    edited_at: nullable(time),
    deleted_at: nullable(time),
    _links: links('self', 'ticket', 'messages'),
  },
  { title: 'Message' },
)
export type Message = Static<typeof message>

export const messageList = list(message)

/** The message, and what others wrote while it was written. */
export const postedReply = Type.Object(
  { ...message.properties, newer_messages: Type.Array(message) },
  { title: 'PostedReply' },
)

/** A message that was withdrawn before it was sent, as it was written. */
export const takenBack = Type.Object(
  {
    content: Type.String(),
    content_format: oneOf(formats),
    is_internal: Type.Boolean(),
    reply_to_id: nullable(id),
    media: Type.Array(mediaItem),
    mentions: Type.Array(id),
    send_at: nullable(time),
    email: nullable(newEmail),
  },
  { title: 'TakenBack' },
)
export type TakenBack = Static<typeof takenBack>

export const readMark = Type.Object({
  last_read_message_at: nullable(time),
  previous_read_message_at: nullable({ ...time, description: 'How far the person had read before this' }),
})
export type ReadMark = Static<typeof readMark>

const filters = {
  sender_type: Type.Optional(Type.Array(oneOf(senderTypes))),
  is_internal: Type.Optional(Type.Boolean()),
  delivery_status: Type.Optional(Type.Array(oneOf(deliveryStatuses))),
}

export const messageQuery = Type.Object({
  ...paging,
  order: Type.Optional(oneOf(['asc', 'desc'], { default: 'asc' })),
  after_id: Type.Optional(text(64)),
  before_id: Type.Optional(text(64)),
  ...filters,
})
export type MessageQuery = Static<typeof messageQuery>

export const anyMessageQuery = Type.Object({
  ...paging,
  sort: Type.Optional(oneOf(['updated_at', '-updated_at'], { default: 'updated_at' })),
  updated_after: Type.Optional(timeInput),
  updated_before: Type.Optional(timeInput),
  ...filters,
})
export type AnyMessageQuery = Static<typeof anyMessageQuery>
