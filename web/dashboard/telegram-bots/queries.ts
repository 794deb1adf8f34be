import { queryOptions } from '@tanstack/react-query'
import type { ShownVersion } from '../channels/shown-version.ts'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { unlessShown } from '../core/query.ts'
import { telegramBotKeys } from './query-keys.ts'

export type TelegramBot = Shape<'TelegramBot'>
export type CheckedTelegramBot = Shape<'CheckedTelegramBot'>
export type NewTelegramBot = Shape<'NewTelegramBot'>
export type TelegramBotChange = Shape<'TelegramBotChange'>
export type TelegramBotToken = Shape<'TelegramBotToken'>
export type TelegramBotTrial = Shape<'TelegramBotTrial'>
export type TelegramTextDefaults = Shape<'TelegramTextDefaults'>

export const botPath = '/projects/{project_id}/telegram-bots/{bot_id}'

/** Receiving messages changes bots without an event. */
const pollIntervalMs = 5_000

interface Place {
  project_id: string
  bot_id: string
}

export const telegramBotsQuery = (project_id: string) =>
  queryOptions({
    queryKey: telegramBotKeys.all(project_id),
    queryFn: async () =>
      (await take(api.GET('/projects/{project_id}/telegram-bots', { params: { path: { project_id } } })))
        .items,
    refetchInterval: pollIntervalMs,
    throwOnError: unlessShown,
  })

export const telegramBotQuery = (path: Place) =>
  queryOptions({
    queryKey: telegramBotKeys.bot(path),
    queryFn: () => take(api.GET(botPath, { params: { path } })),
    refetchInterval: pollIntervalMs,
    throwOnError: unlessShown,
  })

/** Deskbell's own texts for bots. */
export const telegramTextsQuery = (project_id: string) =>
  queryOptions({
    queryKey: telegramBotKeys.textDefaults(project_id),
    queryFn: () =>
      take(api.GET('/projects/{project_id}/telegram-bots/texts', { params: { path: { project_id } } })),
    throwOnError: unlessShown,
  })

/** The address of the bot's picture, or null if it has none. */
export const pictureOf = (projectId: string, { id, has_picture }: TelegramBot): string | null =>
  has_picture ? `/api/dashboard/projects/${projectId}/telegram-bots/${id}/picture` : null

export type BotVersion = ShownVersion<TelegramBot>

/** The keys of a bot and of the list that it is in. */
export const botKeysOf = ({ project_id, bot_id }: Place) => ({
  row: telegramBotQuery({ project_id, bot_id }).queryKey,
  list: telegramBotKeys.all(project_id),
})

export const checkBotToken = (project_id: string, body: TelegramBotToken): Promise<CheckedTelegramBot> =>
  take(api.POST('/projects/{project_id}/telegram-bots/check', { params: { path: { project_id } }, body }))

export const createTelegramBot = (project_id: string, body: NewTelegramBot): Promise<TelegramBot> =>
  take(api.POST('/projects/{project_id}/telegram-bots', { params: { path: { project_id } }, body }))

/** Fails with SETTINGS_CHANGED if somebody else has saved since `version`. */
export const changeTelegramBot = (
  path: Place,
  version: BotVersion,
  body: TelegramBotChange,
): Promise<TelegramBot> =>
  take(api.PATCH(botPath, { params: { path }, headers: { 'if-match': `"${version.current()}"` }, body }))
