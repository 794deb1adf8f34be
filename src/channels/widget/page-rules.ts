import { anyId, type Sql } from '../../core/db/db.ts'
import { isId } from '../../core/ids.ts'
import type { WidgetChange } from './settings-schema.ts'

const listOwnArticles = (sql: Sql, projectId: string, ids: string[]) => sql<{ id: string }[]>`
  select id from articles where project_id = ${projectId} and id = ${anyId(sql, ids.filter(isId))}`

const listOwnOperators = (sql: Sql, projectId: string, ids: string[]) => sql<{ id: string }[]>`
  select id from operators where project_id = ${projectId} and id = ${anyId(sql, ids.filter(isId))} and removed_at is null`

/** Removes articles and operators that the project does not have, perhaps because they were deleted since the form was loaded. */
export async function keepOwnIds(sql: Sql, projectId: string, change: WidgetChange): Promise<WidgetChange> {
  const { page_articles: pages = [], proactive_messages: messages = [] } = change
  const articles = await listOwnArticles(
    sql,
    projectId,
    pages.flatMap(({ article_ids }) => article_ids),
  )
  const operators = await listOwnOperators(
    sql,
    projectId,
    messages.flatMap(({ operator_id }) => operator_id ?? []),
  )
  const known = new Set([...articles, ...operators].map(({ id }) => id))
  const ownPages = pages.map(rule => ({ ...rule, article_ids: rule.article_ids.filter(id => known.has(id)) }))
  const ownMessages = messages.map(rule => ({
    ...rule,
    operator_id: rule.operator_id !== null && known.has(rule.operator_id) ? rule.operator_id : null,
  }))
  return {
    ...change,
    ...(change.page_articles && { page_articles: ownPages.filter(rule => rule.article_ids.length > 0) }),
    ...(change.proactive_messages && { proactive_messages: ownMessages }),
  }
}
