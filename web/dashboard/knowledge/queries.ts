import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { asFailure } from '../core/failure.ts'
import { unlessShown } from '../core/query.ts'
import { knowledgeKeys } from './query-keys.ts'

export type ListedArticleDraft = AnswerOf<'/projects/{project_id}/knowledge/articles', 'get'>['items'][number]
export type ArticleDraft = AnswerOf<'/projects/{project_id}/knowledge/articles/{article_id}', 'get'>
export type Tree = AnswerOf<'/projects/{project_id}/knowledge/categories', 'get'>
export type Category = Tree['items'][number]

/** The key of everything in the knowledge base that a change may affect. */

/** Null if the plan has no knowledge base. */
export const draftsQuery = (project_id: string) =>
  queryOptions({
    queryKey: knowledgeKeys.articles(project_id),
    queryFn: () =>
      take(api.GET('/projects/{project_id}/knowledge/articles', { params: { path: { project_id } } })).then(
        ({ items }): ListedArticleDraft[] | null => items,
        (thrown: unknown): null => {
          if (asFailure(thrown).code === 'PLAN_FEATURE_UNAVAILABLE') return null
          throw thrown
        },
      ),
    throwOnError: unlessShown,
  })

export const treeQuery = (project_id: string) =>
  queryOptions({
    queryKey: knowledgeKeys.categories(project_id),
    queryFn: () =>
      take(api.GET('/projects/{project_id}/knowledge/categories', { params: { path: { project_id } } })),
    throwOnError: unlessShown,
  })

export const draftQuery = (project_id: string, article_id: string) =>
  queryOptions({
    queryKey: knowledgeKeys.article(article_id),
    queryFn: () =>
      take(
        api.GET('/projects/{project_id}/knowledge/articles/{article_id}', {
          params: { path: { project_id, article_id } },
        }),
      ),
    throwOnError: unlessShown,
  })

/** In the main language, or else in any. */
export const titleOf = ({ translations, slug }: Category, locale: string): string =>
  (translations.find(one => one.locale === locale) ?? translations[0])?.title ?? slug

/** The tree as a list of choices, each with its path. */
export function listChoices({ items, default_locale }: Tree): { value: string; label: string }[] {
  const below = (parent: string | null, path: string): { value: string; label: string }[] =>
    items
      .filter(one => one.parent_id === parent)
      .flatMap(one => {
        const label = path + titleOf(one, default_locale)
        return [{ value: one.id, label }, ...below(one.id, `${label} / `)]
      })
  return below(null, '')
}
