import { makeKey } from '../core/query-key.ts'

export const widgetKeys = {
  settings: (projectId: string) => makeKey('widget', projectId),
  articles: (projectId: string) => makeKey('widget', projectId, 'articles'),
  start: (ticketId: string) => makeKey('chat start', ticketId),
}
