import { queryOptions } from '@tanstack/react-query'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { telegramBotKeys } from './query-keys.ts'

export type TelegramChat = NonNullable<Shape<'TelegramConversation'>['chat']>

/** The chat of a ticket; null without one. Polled too, because blocking a bot emits no event. */
export const telegramChatQuery = (project_id: string, ticket_id: string) =>
  queryOptions({
    queryKey: telegramBotKeys.chat(project_id, ticket_id),
    queryFn: async () => {
      const params = { path: { project_id, ticket_id } }
      return (await take(api.GET('/projects/{project_id}/tickets/{ticket_id}/telegram', { params }))).chat
    },
    refetchInterval: ({ state: { data } }) => (data ? 15_000 : false),
  })
