import Type, { type Static } from 'typebox'
import { nullable, oneOf, openObject, text, time, timeInput } from '../core/schema.ts'
import {
  contactIdentities,
  contentFormat,
  maxContentLength,
  messageEmail,
  senderTypes,
} from '../messages/schema.ts'
import { optionalTime, sourceId } from './contact-schema.ts'

/** A message from another system. */

/** An operator is found by id, or by email address, ignoring case. */
export const importedOperator = Type.Object(
  {
    id: Type.Optional(nullable(Type.String())),
    email: Type.Optional(nullable(text(254))),
    name: Type.Optional(nullable(text(255))),
  },
  { title: 'ImportedOperator' },
)
export type ImportedOperator = Static<typeof importedOperator>

const author = Type.Object({
  type: oneOf(senderTypes),
  source_id: Type.Optional(
    nullable(sourceId({ description: "The contact who wrote it; by default, the ticket's contact" })),
  ),
  ...importedOperator.properties,
  avatar_url: Type.Optional(nullable(text(2_048))),
})

const reaction = Type.Object({
  emoji: text(64, { minLength: 1 }),
  reactor_kind: oneOf(['contact', 'operator']),
  source_id: Type.Optional(
    nullable(sourceId({ description: "The contact who reacted; by default, the ticket's contact" })),
  ),
  id: Type.Optional(nullable(Type.String())),
  email: Type.Optional(nullable(text(254, { description: 'The operator who reacted' }))),
  created_at: timeInput,
})

const delivery = Type.Object({
  status: oneOf(['sent', 'delivered', 'read', 'failed']),
  error: Type.Optional(nullable(text(1_000))),
  attempts: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000 })),
  updated_at: optionalTime({ description: 'By default, `created_at` of the message' }),
})

const {
  message_id: _,
  mailbox_id: __,
  related_ticket_id: ___,
  inline_media_ids: ____,
  forwarded: _____,
  ...emailFields
} = messageEmail.properties

/** An id in a request can be any text. A text that is not an id is treated like an id that does not exist. */
const anyIds = Type.Array(Type.String(), { maxItems: 100 })

const recipient = Type.Object({
  ...messageEmail.properties.recipients.items.properties,
  updated_at: Type.Optional({ ...time, format: 'time' }),
})

/** The fields of a message's `email`. Absent fields get default values. */
export const importedEmail = Type.Object(
  {
    ...Type.Partial(Type.Object(emailFields)).properties,
    message_id: Type.Optional(
      nullable(text(1_000, { description: 'The Message-ID. Emails that answer it are added to the ticket' })),
    ),
    inline_media_ids: Type.Optional(anyIds),
    forwarded: Type.Optional(Type.Object({ message_id: Type.String(), media_ids: anyIds })),
    recipients: Type.Optional(Type.Array(recipient, { maxItems: 200 })),
    mail_ids: Type.Optional(
      Type.Array(text(1_000), {
        maxItems: 20,
        description:
          'Further ids by which answers are added to the ticket, such as the beginning of a Thread-Index',
      }),
    ),
    headers: Type.Optional(
      Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), { maxItems: 1_000 }),
    ),
    quoted_text: Type.Optional(Type.String({ description: 'The quoted text that `content` omits' })),
    quoted_html: Type.Optional(nullable(Type.String())),
  },
  { title: 'ImportedEmail' },
)
export type ImportedEmail = Static<typeof importedEmail>

export const importedMessage = Type.Object(
  {
    source_id: sourceId({ description: 'The id of the message in the other system' }),
    author,
    content: text(maxContentLength, { examples: ['Where is my order?'] }),
    content_format: Type.Optional(contentFormat),
    content_html: Type.Optional(
      nullable(
        text(1_048_576, {
          description: 'What the dashboard shows instead of `content`. Scripts and styles are removed',
        }),
      ),
    ),
    is_internal: Type.Optional(Type.Boolean({ default: false })),
    reply_to: Type.Optional(
      nullable(sourceId({ description: 'The message that this one answers, in the same ticket' })),
    ),
    moved_from: Type.Optional(
      nullable(
        sourceId({
          description: 'The ticket in which it was written, if it was moved from there by a merge or a split',
        }),
      ),
    ),
    channel: Type.Optional(nullable(text(64, { minLength: 1, description: "By default, the ticket's" }))),
    external_id: Type.Optional(nullable(text(255, { minLength: 1 }))),
    media_ids: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: 100,
        description: 'The ids of uploaded files: see `POST /media/upload`',
      }),
    ),
    email: Type.Optional(nullable(importedEmail)),
    system: Type.Optional(
      Type.Unsafe<Record<string, unknown> | null>({
        ...nullable(openObject),
        description: 'In its `data`, `ticket_id` and `message_id` are ids of the other system',
      }),
    ),
    delivery: Type.Optional(delivery),
    contact_identity: Type.Optional(nullable(oneOf(contactIdentities))),
    reactions: Type.Optional(Type.Array(reaction, { maxItems: 200 })),
    created_at: timeInput,
    updated_at: optionalTime({
      description: 'By default, the latest of `created_at`, `edited_at` and `deleted_at`',
    }),
    edited_at: optionalTime({ description: 'When the message was edited' }),
    deleted_at: optionalTime({ description: 'When the message was deleted' }),
  },
  { title: 'ImportedMessage' },
)
export type ImportedMessage = Static<typeof importedMessage>
