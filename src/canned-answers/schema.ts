import Type, { type Static } from 'typebox'
import { id, nullable, oneOf, text, time } from '../core/schema.ts'
import { content } from '../messages/schema.ts'

export const scopes = ['personal', 'shared'] as const

const shortcut = text(64, { pattern: '^[\\p{L}\\p{N}_-]+$', examples: ['refund'] })
const title = text(255, { minLength: 1, examples: ['Refund is on its way'] })
const department = nullable(
  Type.String({ description: 'If set, shared only with the people of this department' }),
)

export const cannedAnswer = Type.Object(
  {
    id,
    scope: oneOf(scopes),
    owner_id: nullable(id),
    department_id: nullable(id),
    shortcut,
    title,
    content: Type.String({
      description: 'Markdown with placeholders such as `{{contact.first_name|there}}`',
    }),
    version: Type.Integer(),
    created_at: time,
    updated_at: time,
  },
  { title: 'CannedAnswer' },
)
export type CannedAnswer = Static<typeof cannedAnswer>

/** Long enough to recognise the text. */
export const excerptLength = 160

const { content: _, ...known } = cannedAnswer.properties

export const listedCannedAnswer = Type.Object(
  {
    ...known,
    excerpt: Type.String({ description: `The first ${excerptLength} characters of the text` }),
  },
  { title: 'ListedCannedAnswer' },
)
export type ListedCannedAnswer = Static<typeof listedCannedAnswer>

export const cannedAnswerList = Type.Object({ items: Type.Array(listedCannedAnswer) })

export const cannedAnswerQuery = Type.Object({
  q: Type.Optional(
    text(200, {
      description: 'The beginning of the shortcut, or words (or their beginnings) in the title and text',
    }),
  ),
  scope: Type.Optional(oneOf(scopes)),
})
export type CannedAnswerQuery = Static<typeof cannedAnswerQuery>

export const newCannedAnswer = Type.Object({
  scope: Type.Optional(oneOf(scopes, { default: 'personal' })),
  shortcut,
  title,
  content: { ...content, minLength: 1 },
  department_id: Type.Optional(department),
})
export type NewCannedAnswer = Static<typeof newCannedAnswer>

export const cannedAnswerChange = Type.Object({
  shortcut: Type.Optional(shortcut),
  title: Type.Optional(title),
  content: Type.Optional({ ...content, minLength: 1 }),
  department_id: Type.Optional(department),
})
export type CannedAnswerChange = Static<typeof cannedAnswerChange>

export const answerFilling = Type.Object({
  ticket_id: Type.Optional(
    Type.String({
      description: 'The ticket in which it is sent. Leave it out for an email that begins a ticket',
    }),
  ),
  contact_email: Type.Optional(
    nullable(text(254, { description: 'Without `ticket_id`: the address of the first recipient' })),
  ),
  subject: Type.Optional(
    nullable(text(255, { description: 'Without `ticket_id`: the subject of the email' })),
  ),
})
export type AnswerFilling = Static<typeof answerFilling>

const placeholders = Type.Array(Type.String({ examples: ['contact.full_name'] }))
export const filledAnswer = Type.Object(
  {
    content: Type.String(),
    empty: {
      ...placeholders,
      description: 'Placeholders without a value and without a default',
    },
    unknown: { ...placeholders, description: 'Unknown placeholders, which are left as they are' },
  },
  { title: 'FilledAnswer' },
)
export type FilledAnswer = Static<typeof filledAnswer>
