import Type, { type Static } from 'typebox'
import { nullable, oneOf } from '../../../core/schema.ts'
import { messageEmail } from '../../../messages/schema.ts'

export const emailDetails = Type.Object({
  ...messageEmail.properties,
  headers: Type.Array(
    Type.Object({
      name: Type.String({ examples: ['Received'] }),
      value: Type.String({
        description: 'The decoded value on one line',
        examples: ['from mx.example.com by desk.example.com'],
      }),
    }),
    { description: 'All headers in the order of the email' },
  ),
  quoted_text: Type.String({
    description: 'The text that the email quotes from earlier messages; empty if there is none',
    examples: ['> Where is my order?'],
  }),
  quoted_html: nullable(
    Type.String({
      description: 'The quoted text as HTML that is safe to display; null if it has none',
      examples: ['<blockquote>Where is my order?</blockquote>'],
    }),
  ),
  has_raw: Type.Boolean({
    description: 'Whether `GET /messages/{message_id}/raw` returns the original. Old originals are deleted',
  }),
})
export type EmailDetails = Static<typeof emailDetails>

const participantReasons = ['contact', 'email', 'added', 'removed'] as const

export const participants = Type.Object({
  items: Type.Array(
    Type.Object({
      address: Type.String({ examples: ['ann@example.com'] }),
      name: nullable(Type.String({ examples: ['Ann Lee'] })),
      reason: oneOf(participantReasons, {
        description:
          "`contact`: an address of the ticket's contact. `email`: wrote or received one of the ticket's emails. `added`: added by a person or an integration. `removed`: removed, so emails from this address do not join the ticket",
      }),
    }),
  ),
})
export type Participants = Static<typeof participants>
export type Participant = Participants['items'][number]

export const participantsInput = Type.Object({
  participants: Type.Array(
    Type.Object({
      address: Type.String({ maxLength: 254, format: 'email', examples: ['ben@example.com'] }),
      name: Type.Optional(
        nullable(Type.String({ maxLength: 255, pattern: '^[^\\x00-\\x1f\\x7f-\\x9f]*$', examples: ['Ben'] })),
      ),
    }),
    { maxItems: 200, description: 'Everyone whose emails may join the ticket, besides its contact' },
  ),
})
export type ParticipantsInput = Static<typeof participantsInput>

export const imageSenders = Type.Object({
  items: Type.Array(Type.String({ examples: ['ann@example.com'] })),
})
