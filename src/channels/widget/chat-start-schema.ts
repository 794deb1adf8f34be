import Type, { type Static } from 'typebox'
import { id, nullable } from '../../core/schema.ts'

/** What the visitor saw before writing the first message of a ticket. */
export const chatStart = Type.Object(
  {
    page_url: nullable(Type.String()),
    article: nullable(
      Type.Object({
        id,
        locale: Type.String(),
        title: Type.String({ description: 'The title at that time' }),
      }),
    ),
    proactive_text: nullable(Type.String({ description: 'The proactive message that the visitor answered' })),
  },
  { title: 'ChatStart', description: 'All values are null if the ticket did not start in the chat' },
)
export type ChatStart = Static<typeof chatStart>
