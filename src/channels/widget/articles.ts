import { type Endpoint, endpoint } from '../../core/endpoint.ts'
import { getArticle, listArticles, requireKnowledge, toArticle } from '../../knowledge/knowledge.ts'
import type { ChatDeps } from './deps.ts'
import { articlesQuery, oneArticleQuery, visitorArticle, visitorArticles } from './request-schema.ts'

const tag = 'Articles'

export const articleEndpoints = ({ publicUrl }: ChatDeps): Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/articles',
    tag,
    summary: 'Search the knowledge base; without words, what was published last',
    query: articlesQuery,
    answers: { 200: visitorArticles },
    errors: ['PLAN_FEATURE_UNAVAILABLE'],
    isPublic: true,
    async run({ db, project, query: { page_size = 10, ...query } }) {
      await requireKnowledge(db, project.id)
      const { items } = await listArticles(db, project.id, { ...query, page_size, count: false })
      return {
        items: items.map(row => {
          const { highlight, ...article } = toArticle(row, publicUrl)
          return { ...article, highlight: highlight?.content ?? null }
        }),
      }
    },
  }),
  endpoint({
    method: 'GET',
    path: '/articles/{article_id}',
    tag,
    summary: 'Read an article',
    query: oneArticleQuery,
    answers: { 200: visitorArticle },
    errors: ['PLAN_FEATURE_UNAVAILABLE', 'ARTICLE_NOT_FOUND'],
    isPublic: true,
    async run({ db, project, params, query }) {
      await requireKnowledge(db, project.id)
      return toArticle(await getArticle(db, project.id, params.article_id!, query.locale), publicUrl)
    },
  }),
]
