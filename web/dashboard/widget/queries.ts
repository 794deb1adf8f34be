import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { unlessShown } from '../core/query.ts'
import { widgetKeys } from './query-keys.ts'

export type Widget = AnswerOf<'/projects/{project_id}/widget', 'get'>
export type WidgetTexts = Widget['texts'][string]
export type PrechatQuestion = Widget['prechat_fields'][number]
export type OpeningHours = NonNullable<Widget['hours']>['days'][number]

export const widgetQuery = (project_id: string) =>
  queryOptions({
    queryKey: widgetKeys.settings(project_id),
    queryFn: () => take(api.GET('/projects/{project_id}/widget', { params: { path: { project_id } } })),
    throwOnError: unlessShown,
  })
