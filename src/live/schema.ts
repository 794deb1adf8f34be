import Type, { type Static } from 'typebox'
import { id, nullable } from '../core/schema.ts'

export const liveQuery = Type.Object({
  tab: Type.String({ format: 'uuid', description: 'Made by the page, the same when it comes back' }),
  after: Type.Optional(
    Type.Integer({ minimum: 0, description: 'In place of `Last-Event-ID`; without both, from now on' }),
  ),
})

export const tabState = Type.Object({
  tab: id,
  ticket_id: nullable(id),
  is_typing: Type.Boolean(),
  is_internal: Type.Optional(Type.Boolean({ default: false })),
})
export type TabStateBody = Static<typeof tabState>
