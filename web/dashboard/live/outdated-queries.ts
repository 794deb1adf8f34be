/** The queries that each event of the log outdates, by the first part of their keys. */

const lists = ['tickets', 'views', 'unread']
const ofContacts = ['contact', 'contacts', 'tickets of contact', 'reply recipients', 'unread email']
const ofEmails = ['reply recipients', 'participants', 'unread email']

/** By the full type of an event, or else by its first part. */
const queriesByEvent: Record<string, readonly string[]> = {
  message: [...lists, ...ofEmails],
  'message.reaction.added': [],
  'message.reaction.removed': [],
  ticket: [...lists, 'contact', 'tickets of contact'],
  // The ticket's contact may be new too.
  'ticket.created': [...lists, ...ofContacts],
  contact: ofContacts,
  operator: ['people'],
  // The stream does not send these events, so this entry only makes `catchUp` refetch the query.
  billing: ['billing'],
}

export const listOutdated = (type: string): readonly string[] =>
  queriesByEvent[type] ?? queriesByEvent[type.split('.')[0]!] ?? []

/** All queries that events keep up to date. A ticket and its conversation are refetched individually. */
export const liveQueries: readonly string[] = [
  ...new Set(['ticket', 'messages', ...Object.values(queriesByEvent).flat()]),
]
