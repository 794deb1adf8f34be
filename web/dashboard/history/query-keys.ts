import { makeKey } from '../core/query-key.ts'

export const historyKeys = {
  all: (projectId: string) => makeKey('history', projectId),
  ticket: (projectId: string, ticketId: string) => makeKey('history', projectId, ticketId),
}
