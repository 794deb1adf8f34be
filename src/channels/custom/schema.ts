import Type, { type Static } from 'typebox'
import { contactChange, contactRef } from '../../contacts/schema.ts'
import { id, nullable, oneOf, text, time, timeInput } from '../../core/schema.ts'
import { content, contentFormat, mediaIds, message } from '../../messages/schema.ts'
import { channelColorPattern, channelNamePattern } from './patterns.ts'

/** The shapes of custom channels and of their programs' requests. */

const name = text(32, {
  pattern: channelNamePattern.source,
  description: 'The `channel` of tickets and messages is `custom:<name>`. The name cannot be changed',
  examples: ['signal'],
})

const shownTitle = { description: 'The name that people see', examples: ['Signal'] }
const title = text(64, { minLength: 1, format: 'name', ...shownTitle })

const settings = {
  color: text(7, { pattern: channelColorPattern.source, examples: ['#2f5bea'] }),
  department_id: nullable({ ...id, description: 'The department of new tickets' }),
}

export const channelStates = ['active', 'paused'] as const

export const customChannel = Type.Object(
  {
    id,
    name,
    title: Type.String(shownTitle),
    ...settings,
    has_picture: Type.Boolean({ description: 'Whether `GET …/picture` returns a picture' }),
    state: oneOf(channelStates, { description: '`paused`: messages are refused, and replies wait' }),
    last_request_at: nullable({
      ...time,
      description: "The time of the program's last request, accurate to 10 seconds",
    }),
    last_received_at: nullable({
      ...time,
      description: 'The time when the program posted its last message, accurate to 10 seconds',
    }),
    waiting: Type.Integer({ description: 'How many messages are waiting for the program', examples: [0] }),
    waiting_since: nullable({
      ...time,
      description: 'The time since which the oldest of them has been waiting',
    }),
    version: Type.Integer(),
    created_at: time,
  },
  { title: 'CustomChannel' },
)
export type CustomChannel = Static<typeof customChannel>

export const customChannelList = Type.Object({ items: Type.Array(customChannel) })

const optional = {
  color: Type.Optional(settings.color),
  department_id: Type.Optional(settings.department_id),
}
export const newCustomChannel = Type.Object({ name, title, ...optional }, { title: 'NewCustomChannel' })
export type NewCustomChannel = Static<typeof newCustomChannel>

export const customChannelChange = Type.Object(
  { title: Type.Optional(title), ...optional },
  { title: 'CustomChannelChange' },
)
export type CustomChannelChange = Static<typeof customChannelChange>

export const channelPicture = Type.Object(
  { content: Type.String({ minLength: 4, maxLength: 350_000, pattern: '^[A-Za-z0-9+/]+=*$' }) },
  { description: 'The bytes of the picture in base64', title: 'CustomChannelPicture' },
)

const externalId = text(255, { minLength: 1, examples: ['m-1001'] })

const { full_name, phone, language, email } = contactRef.properties

const channelContact = Type.Object({
  external_id: text(255, {
    minLength: 1,
    description: "The contact's id in the messenger",
    examples: ['u-42'],
  }),
  full_name,
  email: Type.Optional({
    ...email,
    description:
      'Shown if the contact has no address and no other contact has this one. Never used to find a contact',
  }),
  phone,
  language,
  avatar_url: contactChange.properties.avatar_url,
})
export type ChannelContact = Static<typeof channelContact>

export const channelMessage = Type.Object(
  {
    external_id: {
      ...externalId,
      description:
        "The message's id in the messenger, unique in the channel. A repeated request returns the earlier message",
    },
    contact: channelContact,
    content: Type.Optional(nullable(content)),
    content_format: Type.Optional(contentFormat),
    media_ids: Type.Optional(mediaIds),
    reply_to_external_id: Type.Optional(
      nullable({
        ...externalId,
        description:
          "The `external_id` of the message in this contact's conversation that this one replies to. The reply is added to that message's ticket",
      }),
    ),
    created_at: Type.Optional(
      nullable({
        ...timeInput,
        description:
          "When the message was written. A time in the future counts as now. A time before the contact's previous message counts as the time of that message",
      }),
    ),
  },
  { title: 'ChannelMessage' },
)
export type ChannelMessage = Static<typeof channelMessage>

export const channelMessageChange = Type.Object(
  { content, content_format: Type.Optional(contentFormat) },
  { title: 'ChannelMessageChange' },
)
export type ChannelMessageChange = Static<typeof channelMessageChange>

export const outgoingQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
})

const waitingMessage = Type.Object({
  message,
  contact: Type.Object({
    id,
    external_id: Type.String({ examples: ['u-42'] }),
    full_name: nullable(Type.String()),
  }),
  reply_to_external_id: nullable(
    Type.String({ description: 'The id in the messenger of the message that this one replies to' }),
  ),
})
export type WaitingMessage = Static<typeof waitingMessage>

export const waitingMessages = Type.Object(
  { items: Type.Array(waitingMessage) },
  { title: 'OutgoingMessages' },
)

export const channelDelivery = Type.Object(
  {
    message_id: Type.String({ examples: ['0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b11'] }),
    status: oneOf(['sent', 'delivered', 'read', 'failed'] as const),
    external_id: Type.Optional(
      nullable({
        ...externalId,
        description: "The message's id in the messenger, which lets a contact's message reply to it",
      }),
    ),
    error: Type.Optional(
      nullable(text(1_000, { description: 'Why the message could not be sent. Shown to the operator' })),
    ),
  },
  { title: 'ChannelDelivery' },
)
export type ChannelDelivery = Static<typeof channelDelivery>
