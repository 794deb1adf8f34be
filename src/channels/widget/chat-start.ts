import type { Sql } from '../../core/db/db.ts'
import { ApiError } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { findArticle, getDefaultLocale } from '../../knowledge/knowledge.ts'
import type { ChatStart } from './chat-start-schema.ts'
import { textOfRule } from './proactive.ts'
import type { NewVisitorTicket } from './request-schema.ts'
import type { WidgetChoices } from './settings-schema.ts'
import type { Visitor } from './visitor.ts'

/** What a visitor saw before writing. Operators see it, so that they do not have to ask. */
type SeenBefore = Pick<ChatStart, 'article' | 'proactive_text'>

/** An article that is not public and a message that has been deleted are ignored. */
export async function findChatStart(
  sql: Sql,
  projectId: string,
  { proactive_messages }: WidgetChoices,
  { locale }: Pick<Visitor, 'locale'>,
  { article_id, proactive_id }: Pick<NewVisitorTicket, 'article_id' | 'proactive_id'>,
): Promise<SeenBefore> {
  const read = article_id ? await findArticle(sql, projectId, article_id, locale ?? undefined) : null
  const rule = proactive_messages.find(one => one.id === proactive_id)
  return {
    article: read && { id: read.id, locale: read.locale, title: read.title },
    proactive_text: rule
      ? textOfRule(rule, locale ?? undefined, await getDefaultLocale(sql, projectId))
      : null,
  }
}

export const insertWidgetTicket = (
  sql: Sql,
  projectId: string,
  ticketId: string,
  { id, surface, locale, page_url }: Pick<Visitor, 'id' | 'surface' | 'locale' | 'page_url'>,
  { article, proactive_text }: SeenBefore = { article: null, proactive_text: null },
) => sql`
  insert into widget_tickets (project_id, ticket_id, visitor_id, surface, locale, page_url, article, proactive_text)
  values (${projectId}, ${ticketId}, ${id}, ${surface}, ${locale}, ${page_url}, ${article}::jsonb, ${proactive_text})`

export async function getChatStart(sql: Sql, projectId: string, ticketId: string): Promise<ChatStart> {
  const [row] = isId(ticketId)
    ? await sql<ChatStart[]>`
        select w.page_url, w.article, w.proactive_text from tickets t
        left join widget_tickets w on w.project_id = ${projectId} and w.ticket_id = t.id
        where t.project_id = ${projectId} and t.id = ${ticketId}`
    : []
  if (!row) throw new ApiError('TICKET_NOT_FOUND')
  return row
}
