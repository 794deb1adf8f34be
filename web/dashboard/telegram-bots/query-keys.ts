import { makeKey } from '../core/query-key.ts'

interface Place {
  project_id: string
  bot_id: string
}

export const telegramBotKeys = {
  all: (projectId: string) => makeKey('telegram bots', projectId),
  bot: ({ project_id, bot_id }: Place) => makeKey('telegram bots', project_id, bot_id),
  textDefaults: (projectId: string) => makeKey('telegram texts', projectId),
  outages: (projectId: string) => makeKey('telegram outages', projectId),
  allChats: (projectId: string) => makeKey('telegram chat', projectId),
  chat: (projectId: string, ticketId: string) => makeKey('telegram chat', projectId, ticketId),
}
