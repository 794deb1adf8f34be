import Type, { type Static } from 'typebox'
import { id, nullable, oneOf, text } from '../../core/schema.ts'

/** What the widget shows on certain pages of a website. */

const rule = {
  match: oneOf(['contains', 'begins_with']),
  address: text(500, {
    minLength: 1,
    pattern: '\\S',
    description:
      'A part of the address of a page, or its beginning: a whole address, one without `https://`, or a path',
    examples: ['/pricing'],
  }),
}

export const pageArticles = Type.Object({
  ...rule,
  article_ids: Type.Array(id, {
    minItems: 1,
    maxItems: 10,
    description: 'In the order in which they are shown. Those that the project does not have are removed',
  }),
})

const timing = {
  after_seconds: Type.Integer({ minimum: 0, maximum: 3_600, description: 'Seconds on the page' }),
  repeat_after_days: Type.Integer({
    minimum: 1,
    maximum: 365,
    description: 'A browser that has shown the message does not show it again for this many days',
  }),
}

export const proactiveRule = Type.Object({
  id,
  ...rule,
  ...timing,
  texts: Type.Record(Type.String({ maxLength: 35 }), text(300), { minProperties: 1, maxProperties: 50 }),
  operator_id: nullable({
    ...id,
    description: 'Whose name and picture are shown; null means those of the project',
  }),
})
export type ProactiveRule = Static<typeof proactiveRule>

/** A proactive message as visitors see it. */
export const proactiveMessage = Type.Object({
  id,
  ...rule,
  ...timing,
  text: Type.String(),
  sender: Type.Object({ name: Type.String(), avatar_url: nullable(Type.String()) }),
})
export type ProactiveMessage = Static<typeof proactiveMessage>
