import { makeKey } from '../core/query-key.ts'

export const contactKeys = {
  lists: (projectId: string) => makeKey('contacts', projectId),
  list: (projectId: string, q: string) => makeKey('contacts', projectId, q),
  found: (projectId: string, search: string) => makeKey('contacts', projectId, 'found', search),
  contacts: (projectId: string) => makeKey('contact', projectId),
  contact: (projectId: string, contactId: string) => makeKey('contact', projectId, contactId),
  identities: (projectId: string, contactId: string) =>
    makeKey('contact', projectId, contactId, 'identities'),
  merges: (projectId: string, contactId: string) => makeKey('contact', projectId, contactId, 'merges'),
  ofTicket: (projectId: string, ticketId: string) => makeKey('contact', projectId, 'of ticket', ticketId),
  members: (projectId: string, organizationId: string) =>
    makeKey('contacts', projectId, 'of organization', organizationId),
  ticketLists: (projectId: string) => makeKey('tickets of contact', projectId),
  organizationTickets: (projectId: string, organizationId: string) =>
    makeKey('tickets of contact', projectId, 'of organization', organizationId),
  tickets: (projectId: string, contactId: string) => makeKey('tickets of contact', projectId, contactId),
}
