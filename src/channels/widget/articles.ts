import type { Db } from '../../core/db/db.ts'
import { type Endpoint, endpoint } from '../../core/endpoint.ts'
import { ApiError } from '../../core/errors.ts'
import { getArticle, listArticles, requireKnowledge, toArticle } from '../../knowledge/knowledge.ts'
import { findWidget } from './choices.ts'
import type { ChatDeps } from './deps.ts'
import {
  type ArticlesQuery,
  articlesQuery,
  visitorArticle,
  visitorArticleQuery,
  visitorArticles,
} from './request-schema.ts'

const tag = 'Articles'
const errors: Endpoint['errors'] = ['PLAN_FEATURE_UNAVAILABLE', 'FEATURE_OFF']

async function requireShown(db: Db, projectId: string): Promise<void> {
  await requireKnowledge(db, projectId)
  const { choices } = await findWidget(db, projectId)
  if (!choices.shows_knowledge) throw new ApiError('FEATURE_OFF')
}

/** Searches in the visitor's language. If there is no article in it, searches in another one. */
async function search(db: Db, projectId: string, { locale, page_size = 10, ...query }: ArticlesQuery) {
  const asked = { ...query, page_size, count: false }
  const { items } = await listArticles(db, projectId, { ...asked, ...(locale && { locale }) })
  return items.length || !locale ? items : (await listArticles(db, projectId, asked)).items
}

const searching = (deps: ChatDeps): Endpoint =>
  endpoint({
    method: 'GET',
    path: '/articles',
    tag,
    summary: 'Search the articles; without a search text, list the newest',
    query: articlesQuery,
    responses: { 200: visitorArticles },
    errors,
    isPublic: true,
    async run({ db, project, query }) {
      await requireShown(db, project.id)
      const found = await search(db, project.id, query)
      const items = found.map(row => {
        const { highlight, ...article } = toArticle(row, deps.config.publicUrl)
        return { ...article, highlight: highlight?.content ?? null }
      })
      return { items }
    },
  })

const reading = (deps: ChatDeps): Endpoint =>
  endpoint({
    method: 'GET',
    path: '/articles/{article_id}',
    tag,
    summary: 'Read an article',
    query: visitorArticleQuery,
    responses: { 200: visitorArticle },
    errors: [...errors, 'ARTICLE_NOT_FOUND'],
    isPublic: true,
    async run({ db, project, params, query }) {
      await requireShown(db, project.id)
      const found = await getArticle(db, project.id, params.article_id!, query.locale)
      return toArticle(found, deps.config.publicUrl)
    },
  })

export const visitorArticleEndpoints = (deps: ChatDeps): Endpoint[] => [searching(deps), reading(deps)]
