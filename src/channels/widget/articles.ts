import type { Db } from '../../core/db/db.ts'
import { type Endpoint, endpoint } from '../../core/endpoint.ts'
import { ApiError } from '../../core/errors.ts'
import { isPageOf } from '../../core/text/page-match.ts'
import {
  getArticle,
  listArticles,
  listChosenArticles,
  requireKnowledge,
  toArticle,
} from '../../knowledge/knowledge.ts'
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

type Listing = Omit<ArticlesQuery, 'page_url'> & { sort?: '-views_count' }

/** Lists articles in the visitor's language, or in another one if there is none in it. */
async function list(db: Db, projectId: string, { locale, page_size = 10, ...query }: Listing) {
  const asked = { ...query, page_size, count: false }
  const { items } = await listArticles(db, projectId, { ...asked, ...(locale && { locale }) })
  return items.length || !locale ? items : (await listArticles(db, projectId, asked)).items
}

/** The articles that an admin has chosen for the page, and after them the most popular ones. */
async function suggest(db: Db, projectId: string, { page_url = '', ...query }: ArticlesQuery) {
  const { choices } = await findWidget(db, projectId)
  const ids = choices.page_articles.filter(rule => isPageOf(rule, page_url)).flatMap(rule => rule.article_ids)
  const { locale, page_size = 10 } = query
  const chosen = ids.length ? await listChosenArticles(db, projectId, ids, locale) : []
  const popular =
    chosen.length < page_size ? await list(db, projectId, { ...query, sort: '-views_count' }) : []
  return [...chosen, ...popular.filter(({ id }) => !ids.includes(id))].slice(0, page_size)
}

async function search(db: Db, projectId: string, query: ArticlesQuery): ReturnType<typeof list> {
  const { page_url: _, ...words } = query
  return query.q === undefined ? suggest(db, projectId, query) : list(db, projectId, words)
}

const searching = (deps: ChatDeps): Endpoint =>
  endpoint({
    method: 'GET',
    path: '/articles',
    tag,
    summary: 'Search the articles; without a search text, list those for a page and the most popular ones',
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
