import Type, { type Static } from 'typebox'
import { id, nullable, paging, text } from '../../core/schema.ts'
import { mediaIds } from '../../messages/schema.ts'
import { locale } from './settings-schema.ts'

/** Requests of visitors, except those about their identity. */

const content = text(10_000, { examples: ['Where is my order?'] })
const clientId = Type.Optional(
  nullable({
    ...id,
    description: 'An id made by the browser. A repeated request with the same id gets the same response',
  }),
)

export const newVisitorTicket = Type.Object({
  content: Type.Optional(nullable(content)),
  media_ids: Type.Optional(mediaIds),
  fields: Type.Optional(
    Type.Record(Type.String({ maxLength: 64 }), text(2_000), {
      maxProperties: 10,
      description: 'The answers to the questions before the first message',
    }),
  ),
  client_id: clientId,
  page_url: Type.Optional(nullable(text(2_048))),
  article_id: Type.Optional(
    nullable(text(64, { description: 'The article that the visitor read before writing. Operators see it' })),
  ),
  proactive_id: Type.Optional(
    nullable(text(64, { description: 'The proactive message that the visitor answers. Operators see it' })),
  ),
})
export type NewVisitorTicket = Static<typeof newVisitorTicket>

export const newVisitorMessage = Type.Object({
  content: Type.Optional(nullable(content)),
  media_ids: Type.Optional(mediaIds),
  reply_to_id: Type.Optional(nullable(Type.String())),
  client_id: clientId,
})
export type NewVisitorMessage = Static<typeof newVisitorMessage>

export const messagesQuery = Type.Object({
  before: Type.Optional(text(64, { description: 'The id of a message; returns the messages before it' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
})
export type MessagesQuery = Static<typeof messagesQuery>

export const typingSignal = Type.Object({ tab: id, is_typing: Type.Boolean() })

export const streamQuery = Type.Object({
  tab: Type.String({
    format: 'uuid',
    description: 'An id made by the page, which stays the same after a reconnect',
  }),
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'The last id that was received; without it, the stream starts now',
    }),
  ),
})

export const visitorTabState = Type.Object({
  tab: id,
  is_watching: Type.Boolean({ description: 'Whether the chat is open and its page is visible' }),
  ticket_id: nullable(id),
})

export const articlesQuery = Type.Object({
  q: Type.Optional(text(200)),
  locale: Type.Optional(locale),
  page_size: Type.Optional({ ...paging.page_size, default: 10 }),
  page_url: Type.Optional(
    text(2_048, { description: 'The page whose articles come first if there is no search text' }),
  ),
})
export type ArticlesQuery = Static<typeof articlesQuery>

export const visitorArticleQuery = Type.Object({ locale: Type.Optional(locale) })

const shownArticle = {
  id,
  slug: Type.String(),
  title: Type.String(),
  excerpt: Type.String(),
  locale: Type.String(),
  url: nullable(Type.String()),
}

export const visitorArticles = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        ...shownArticle,
        highlight: nullable(Type.String({ description: 'Escaped HTML with matches in `<mark>`' })),
      }),
    ),
  },
  { title: 'VisitorArticleList' },
)

export const visitorArticle = Type.Object(
  { ...shownArticle, content_html: Type.String({ description: 'HTML that is safe to display' }) },
  { title: 'VisitorArticle' },
)
