import Type, { type Static } from 'typebox'
import { id, nullable, text, time } from '../core/schema.ts'

export const features = Type.Object({
  knowledge_base: Type.Boolean({ description: 'Whether the knowledge base can be read' }),
})
export type Feature = keyof Static<typeof features>

export const usage = Type.Object({
  limit: nullable(
    Type.Integer({ description: 'Tickets per month that the plan allows; null means no limit' }),
  ),
  used: Type.Integer({ description: 'Tickets created in this UTC calendar month' }),
  resets_at: time,
})
export type Usage = Static<typeof usage>

export const project = Type.Object({
  id,
  name: text(255),
  plan: Type.String({ description: "The plan's code" }),
  features,
  tickets: usage,
  created_at: time,
})
export type ProjectReport = Static<typeof project>
