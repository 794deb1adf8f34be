import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { unlessShown } from '../core/query.ts'
import { operatorKeys } from '../operators/query-keys.ts'
import { widgetKeys } from './query-keys.ts'

export type Widget = AnswerOf<'/projects/{project_id}/widget', 'get'>
export type WidgetTexts = Widget['texts'][string]
export type PrechatQuestion = Widget['prechat_fields'][number]
export type PageArticles = Widget['page_articles'][number]
export type ProactiveRule = Widget['proactive_messages'][number]
export type OpeningHours = NonNullable<Widget['hours']>['days'][number]

export const widgetQuery = (project_id: string) =>
  queryOptions({
    queryKey: widgetKeys.settings(project_id),
    queryFn: () => take(api.GET('/projects/{project_id}/widget', { params: { path: { project_id } } })),
    throwOnError: unlessShown,
  })

/** The articles that visitors may see, with their titles. Empty if the plan has no knowledge base. */
export const shownArticlesQuery = (project_id: string) =>
  queryOptions({
    queryKey: widgetKeys.articles(project_id),
    queryFn: () =>
      take(api.GET('/projects/{project_id}/knowledge/articles', { params: { path: { project_id } } })).then(
        ({ items }) => items.filter(one => one.status === 'published' && !one.is_internal),
        () => [],
      ),
  })

export const sendersQuery = (project_id: string) =>
  queryOptions({
    queryKey: operatorKeys.people(project_id),
    queryFn: async () =>
      (await take(api.GET('/projects/{project_id}/operators', { params: { path: { project_id } } }))).items,
  })

export const chatStartQuery = (project_id: string, ticket_id: string) =>
  queryOptions({
    queryKey: widgetKeys.start(ticket_id),
    queryFn: () =>
      take(
        api.GET('/projects/{project_id}/tickets/{ticket_id}/chat-start', {
          params: { path: { project_id, ticket_id } },
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  })
