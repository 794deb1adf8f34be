/** Which queries of the dashboard an event of the log makes old, by the first words of their keys. */

const lists = ['tickets', 'views', 'unread']
const ofContacts = ['contact', 'contacts', 'tickets of contact']

/** By the whole type of an event, or else by its first word. */
const table: Record<string, readonly string[]> = {
  message: lists,
  'message.reaction.added': [],
  'message.reaction.removed': [],
  ticket: [...lists, 'contact', 'tickets of contact'],
  // Its contact may be new too.
  'ticket.created': [...lists, ...ofContacts],
  contact: ofContacts,
  operator: ['people'],
  billing: ['billing'],
}

export const listOld = (type: string): readonly string[] => table[type] ?? table[type.split('.')[0]!] ?? []

/** Everything that events keep fresh; a ticket and its conversation are read again one by one. */
export const followed: readonly string[] = [
  ...new Set(['ticket', 'messages', ...Object.values(table).flat()]),
]
