import Type, { type Static } from 'typebox'
import { id, nullable } from '../core/schema.ts'

export const liveQuery = Type.Object({
  tab: Type.String({
    format: 'uuid',
    description: 'An id made by the page, which stays the same after a reconnect',
  }),
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Used instead of `Last-Event-ID`; without both, the stream starts now',
    }),
  ),
})

export const tabState = Type.Object({
  tab: id,
  ticket_id: nullable(id),
  is_typing: Type.Boolean(),
  is_internal: Type.Optional(Type.Boolean({ default: false })),
  is_visible: Type.Optional(
    Type.Boolean({
      default: true,
      description:
        'Whether the tab is in front. While one is, no browser of the person shows notifications of the project',
    }),
  ),
})
export type TabStateBody = Static<typeof tabState>
