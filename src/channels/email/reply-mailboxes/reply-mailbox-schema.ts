import Type, { type Static } from 'typebox'
import { id, nullable } from '../../../core/schema.ts'

/** Shapes of the settings for replies by email in tickets of other channels. */

const fields = {
  widget_mailbox_id: nullable(
    Type.String({
      ...id,
      description:
        "The mailbox that sends operators' replies to visitors who have left the chat, and to contacts who have blocked the Telegram bot, if they have a verified email address. If null, these replies are not sent by email",
    }),
  ),
  widget_after_minutes: Type.Integer({
    minimum: 1,
    maximum: 1_440,
    description: 'How many minutes a reply may stay unread in the chat before it is sent by email',
    examples: [5],
  }),
  api_mailbox_id: nullable(
    Type.String({
      ...id,
      description:
        "The mailbox that sends operators' replies in tickets of the channel `api` whose contact has an email address. If null, these replies are not sent by email",
    }),
  ),
}

export const replyMailboxes = Type.Object(fields, { title: 'ReplyMailboxes' })
export type ReplyMailboxes = Static<typeof replyMailboxes>

export const replyMailboxesChange = Type.Partial(Type.Object(fields), { title: 'ReplyMailboxesChange' })
export type ReplyMailboxesChange = Static<typeof replyMailboxesChange>
