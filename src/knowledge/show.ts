import { hasFeature } from '../billing/billing.ts'
import type { Sql } from '../core/db/db.ts'
import { ApiError } from '../core/errors.ts'
import { articlePath } from './addresses.ts'
import { findArticle } from './articles.ts'
import { findCategory } from './categories.ts'
import type { ArticleRow, CategoryRow, FoundArticle } from './queries.ts'
import type { Category } from './schema.ts'

/** How the API presents the knowledge base, and when it refuses. */

const base = '/api/v1/knowledge-base'

export async function requireKnowledge(sql: Sql, projectId: string): Promise<void> {
  const feature = 'knowledge_base'
  if (!(await hasFeature(sql, projectId, feature)))
    throw new ApiError('PLAN_FEATURE_UNAVAILABLE', { feature })
}

export async function getCategory(
  sql: Sql,
  projectId: string,
  reference: string,
  locale?: string,
): Promise<CategoryRow> {
  const found = await findCategory(sql, projectId, reference, locale)
  if (!found) throw new ApiError('CATEGORY_NOT_FOUND')
  return found
}

export async function getArticle(
  sql: Sql,
  projectId: string,
  reference: string,
  locale?: string,
): Promise<ArticleRow> {
  const found = await findArticle(sql, projectId, reference, locale)
  if (!found) throw new ApiError('ARTICLE_NOT_FOUND')
  return found
}

export const toCategory = (row: CategoryRow): Category => ({
  ...row,
  _links: { self: `${base}/categories/${row.id}`, articles: `${base}/articles?category_id=${row.id}` },
})

export const toArticle = <T extends FoundArticle>({ help_slug, ...row }: T, publicUrl: string) => ({
  ...row,
  url:
    help_slug === null ? null : publicUrl.replace(/\/$/, '') + articlePath(help_slug, row.locale, row.slug),
  _links: {
    self: `${base}/articles/${row.id}?locale=${row.locale}`,
    ...(row.category_id && { category: `${base}/categories/${row.category_id}` }),
  },
})
