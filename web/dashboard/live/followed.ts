/** The queries that each event of the log outdates, by the first part of their keys. */

const lists = ['tickets', 'views', 'unread']
const ofContacts = ['contact', 'contacts', 'tickets of contact']

/** By the full type of an event, or else by its first part. */
const table: Record<string, readonly string[]> = {
  message: lists,
  'message.reaction.added': [],
  'message.reaction.removed': [],
  ticket: [...lists, 'contact', 'tickets of contact'],
  // The ticket's contact may be new too.
  'ticket.created': [...lists, ...ofContacts],
  contact: ofContacts,
  operator: ['people'],
  billing: ['billing'],
}

export const listOld = (type: string): readonly string[] => table[type] ?? table[type.split('.')[0]!] ?? []

/** All queries that events keep up to date. A ticket and its conversation are refetched individually. */
export const followed: readonly string[] = [
  ...new Set(['ticket', 'messages', ...Object.values(table).flat()]),
]
