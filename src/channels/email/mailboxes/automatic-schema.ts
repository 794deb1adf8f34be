import Type, { type Static } from 'typebox'
import { nullable, text } from '../../../core/schema.ts'

/** The settings of acknowledgements and away messages. */

const words = (options: { description: string }) =>
  Type.Optional(nullable(text(5_000, { ...options, examples: ['We received your message.'] })))

const automaticTexts = Type.Record(
  Type.String({ maxLength: 35 }),
  Type.Object({
    acknowledgement: words({ description: 'Sent for a new ticket' }),
    away: words({ description: 'Sent instead of it outside office hours' }),
  }),
  {
    maxProperties: 50,
    description:
      'The texts of automatic emails by language. They may contain `{{ticket.short_id}}`, `{{ticket.subject}}` and `{{contact.full_name|there}}`. Deskbell has its own text for a language that is missing',
    examples: [{ en: { acknowledgement: 'We received your message.' } }],
  },
)
export type AutomaticTexts = Static<typeof automaticTexts>

export const automaticSettings = {
  sends_acknowledgement: Type.Boolean({
    description: 'Whether the sender of an email that opens a ticket gets an acknowledgement',
  }),
  sends_away: Type.Boolean({
    description:
      'Whether the sender of an email that opens a ticket outside office hours gets an away message. The office hours are those of the website chat',
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
