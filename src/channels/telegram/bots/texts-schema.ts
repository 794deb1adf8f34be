import Type, { type Static } from 'typebox'
import { nullable, text } from '../../../core/schema.ts'

/** The texts that a bot sends automatically. */

const words = (options: { description: string }) =>
  Type.Optional(nullable(text(3_000, { ...options, examples: ['Hello! How can we help?'] })))

export const botTexts = Type.Record(
  Type.String({ maxLength: 35 }),
  Type.Object({
    greeting: words({ description: 'Sent when someone starts the bot' }),
    away: words({ description: 'Sent for a new ticket outside office hours' }),
    closed: words({ description: 'Sent when a ticket is closed' }),
  }),
  {
    maxProperties: 50,
    description:
      "The bot's texts by language. They can contain `{{ticket.short_id}}` and `{{contact.full_name|there}}`. If a language is missing, Deskbell uses its own text. An empty text is not sent",
    examples: [{ en: { greeting: 'Hello! How can we help?' } }],
  },
)
export type BotTexts = Static<typeof botTexts>
