import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { listArticles } from './articles.ts'
import { listCategories } from './categories.ts'
import {
  type Article,
  article,
  articleList,
  articleQuery,
  category,
  categoryList,
  categoryQuery,
  type ListedArticle,
  oneArticleQuery,
  oneCategoryQuery,
} from './schema.ts'
import { getArticle, getCategory, requireKnowledge, toArticle, toCategory } from './show.ts'

export interface KnowledgeDeps {
  /** Where visitors read. */
  publicUrl: string
}

const tag = 'Knowledge base'
const readCategories: Endpoint = endpoint({
  method: 'GET',
  path: '/knowledge-base/categories',
  tag,
  summary: 'List the categories of articles',
  description: 'A tree: `parent_id` names the category above. The order is that of `position`.',
  query: categoryQuery,
  answers: { 200: categoryList },
  errors: ['PLAN_FEATURE_UNAVAILABLE'],
  async run({ db, project, query }) {
    await requireKnowledge(db, project.id)
    const listed = await listCategories(db, project.id, query)
    return { ...listed, items: listed.items.map(toCategory) }
  },
})

const readCategory: Endpoint = endpoint({
  method: 'GET',
  path: '/knowledge-base/categories/{category_id}',
  tag,
  summary: 'Read a category',
  description: 'By its `id` or its slug, as of one language.',
  query: oneCategoryQuery,
  answers: { 200: category },
  errors: ['PLAN_FEATURE_UNAVAILABLE', 'CATEGORY_NOT_FOUND'],
  async run({ db, project, params, query }) {
    await requireKnowledge(db, project.id)
    return toCategory(await getCategory(db, project.id, params.category_id!, query.locale))
  },
})

const readArticles = ({ publicUrl }: KnowledgeDeps): Endpoint =>
  endpoint({
    method: 'GET',
    path: '/knowledge-base/articles',
    tag,
    summary: 'List and search articles',
    description:
      'Published articles, without their content. With `q` the best come first: articles with all the words, or with any of them where none has all.',
    query: articleQuery,
    answers: { 200: articleList },
    errors: ['PLAN_FEATURE_UNAVAILABLE'],
    async run({ db, project, query }) {
      await requireKnowledge(db, project.id)
      const listed = await listArticles(db, project.id, query)
      return { ...listed, items: listed.items.map(row => toArticle(row, publicUrl)) as ListedArticle[] }
    },
  })

const readArticle = ({ publicUrl }: KnowledgeDeps): Endpoint =>
  endpoint({
    method: 'GET',
    path: '/knowledge-base/articles/{article_id}',
    tag,
    summary: 'Read an article',
    description:
      'As it was published last. Without a text in `locale` it comes in the same language of another region, in the default locale of the project, or in any; `locale` tells which. Reading it here is no view.',
    query: oneArticleQuery,
    answers: { 200: article },
    errors: ['PLAN_FEATURE_UNAVAILABLE', 'ARTICLE_NOT_FOUND'],
    async run({ db, project, params, query }): Promise<Article> {
      await requireKnowledge(db, project.id)
      return toArticle(await getArticle(db, project.id, params.article_id!, query.locale), publicUrl)
    },
  })

export const knowledgeEndpoints = (deps: KnowledgeDeps): Endpoint[] => [
  readCategories,
  readCategory,
  readArticles(deps),
  readArticle(deps),
]
