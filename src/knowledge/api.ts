import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { listArticles } from './articles.ts'
import { listCategories } from './categories.ts'
import { withAbsolutePictures } from './pictures.ts'
import {
  type Article,
  article,
  articleList,
  articleQuery,
  category,
  categoryList,
  categoryQuery,
  oneArticleQuery,
  oneCategoryQuery,
} from './schema.ts'
import { getArticle, getCategory, requireKnowledge, toArticle, toCategory } from './show.ts'

export interface KnowledgeDeps {
  /** The base of help centre addresses. */
  publicUrl: string
}

const tag = 'Knowledge base'
const readCategories: Endpoint = endpoint({
  method: 'GET',
  path: '/knowledge-base/categories',
  tag,
  summary: 'List the categories of articles',
  description: 'Categories form a tree: `parent_id` is the parent category. They are sorted by `position`.',
  query: categoryQuery,
  responses: { 200: categoryList },
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
  description: 'The category is identified by its `id` or slug, and returned in one language.',
  query: oneCategoryQuery,
  responses: { 200: category },
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
      'Lists published articles, without their content. With `q`, the best matches come first: articles with all words, or with any of them if no article has all.',
    query: articleQuery,
    responses: { 200: articleList },
    errors: ['PLAN_FEATURE_UNAVAILABLE'],
    async run({ db, project, query }) {
      await requireKnowledge(db, project.id)
      const listed = await listArticles(db, project.id, query)
      return { ...listed, items: listed.items.map(row => toArticle(row, publicUrl)) }
    },
  })

const readArticle = ({ publicUrl }: KnowledgeDeps): Endpoint =>
  endpoint({
    method: 'GET',
    path: '/knowledge-base/articles/{article_id}',
    tag,
    summary: 'Read an article',
    description:
      'Returns the text that was published last. If there is none in `locale`, the response has the same language of another region, the default locale of the project, or any other; its `locale` says which. Reading an article here does not count as a view.',
    query: oneArticleQuery,
    responses: { 200: article },
    errors: ['PLAN_FEATURE_UNAVAILABLE', 'ARTICLE_NOT_FOUND'],
    async run({ db, project, params, query }): Promise<Article> {
      await requireKnowledge(db, project.id)
      const found = await getArticle(db, project.id, params.article_id!, query.locale)
      const content_html = withAbsolutePictures(found.content_html, publicUrl)
      return { ...toArticle(found, publicUrl), content_html }
    },
  })

export const knowledgeEndpoints = (deps: KnowledgeDeps): Endpoint[] => [
  readCategories,
  readCategory,
  readArticles(deps),
  readArticle(deps),
]
