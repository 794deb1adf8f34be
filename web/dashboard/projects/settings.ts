import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { unlessShown } from '../core/query.ts'
import { projectKeys } from './query-keys.ts'

export type Settings = AnswerOf<'/projects/{project_id}/settings', 'get'>

export const settingsQuery = (project_id: string) =>
  queryOptions({
    queryKey: projectKeys.settings(project_id),
    queryFn: () => take(api.GET('/projects/{project_id}/settings', { params: { path: { project_id } } })),
    throwOnError: unlessShown,
  })

/** As form values: an empty field means no value. */
export const settingsValuesOf = (settings: Settings) => ({
  name: settings.name,
  color: settings.color ?? '',
  reopen_days: settings.reopen_days as number | string,
  auto_close_days: (settings.auto_close_days ?? '') as number | string,
  has_help_centre: settings.has_help_centre,
  slug: settings.slug ?? '',
  default_locale: settings.default_locale,
  timezone: settings.timezone,
})
export type SettingsValues = ReturnType<typeof settingsValuesOf>

export const settingsBodyOf = ({ color, reopen_days, auto_close_days, slug, ...values }: SettingsValues) => ({
  ...values,
  color: color.toLowerCase() || null,
  reopen_days: Number(reopen_days),
  auto_close_days: auto_close_days === '' ? null : Number(auto_close_days),
  ...(slug && { slug }),
})
