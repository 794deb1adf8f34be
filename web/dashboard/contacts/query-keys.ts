import { makeKey } from '../core/query-key.ts'

export const contactKeys = {
  lists: (projectId: string) => makeKey('contacts', projectId),
  list: (projectId: string, q: string) => makeKey('contacts', projectId, q),
  contacts: (projectId: string) => makeKey('contact', projectId),
  contact: (projectId: string, contactId: string) => makeKey('contact', projectId, contactId),
  ofTicket: (projectId: string, ticketId: string) => makeKey('contact', projectId, 'of ticket', ticketId),
  ticketLists: (projectId: string) => makeKey('tickets of contact', projectId),
  tickets: (projectId: string, contactId: string) => makeKey('tickets of contact', projectId, contactId),
}
