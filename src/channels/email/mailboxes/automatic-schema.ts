import Type, { type Static } from 'typebox'
import { nullable, text } from '../../../core/schema.ts'

/** The settings of acknowledgements and away messages. */

const words = (options: { description: string }) =>
  Type.Optional(nullable(text(5_000, { ...options, examples: ['We received your message.'] })))

const automaticTexts = Type.Record(
  Type.String({ maxLength: 35 }),
  Type.Object({
    acknowledgement: words({ description: 'Sent for a new ticket' }),
    away: words({ description: 'Sent instead of the acknowledgement outside office hours' }),
  }),
  {
    maxProperties: 50,
    description:
      'The texts of automatic emails by language. They may contain `{{ticket.short_id}}`, `{{ticket.subject}}` and `{{contact.full_name|there}}`. If a language is missing, Deskbell uses its own text',
    examples: [{ en: { acknowledgement: 'We received your message.' } }],
  },
)
export type AutomaticTexts = Static<typeof automaticTexts>

export const automaticSettings = {
  sends_acknowledgement: Type.Boolean({
    description: 'Whether an acknowledgement is sent for an email that opens a ticket',
  }),
  sends_away: Type.Boolean({
    description:
      'Whether an away message is sent for an email that opens a ticket outside office hours. The office hours are those of the website chat',
  }),
  texts: automaticTexts,
}

export const automaticDefaults = Type.Object(
  {
    language: Type.String({ description: "The project's language", examples: ['en'] }),
    has_hours: Type.Boolean({ description: 'Whether the project has office hours' }),
    items: Type.Array(
      Type.Object({
        language: Type.String({ examples: ['en'] }),
        acknowledgement: Type.String({ examples: ['We received your message.'] }),
        away: Type.String({ examples: ['We are closed.'] }),
      }),
      { description: "Deskbell's own texts" },
    ),
  },
  { title: 'AutomaticDefaults' },
)
export type AutomaticDefaults = Static<typeof automaticDefaults>
