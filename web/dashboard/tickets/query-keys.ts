import { makeKey } from '../core/query-key.ts'

export const ticketKeys = {
  lists: (projectId: string) => makeKey('tickets', projectId),
  list: (projectId: string, filters: object) => makeKey('tickets', projectId, filters),
  count: (projectId: string, filters: object) => makeKey('ticket count', projectId, filters),
  tickets: (projectId: string) => makeKey('ticket', projectId),
  ticket: (projectId: string, number: string) => makeKey('ticket', projectId, number),
  mergeTargets: (projectId: string, ticketId: string, words: string) =>
    makeKey('merge targets', projectId, ticketId, words),
}
