/** The columns of the table of tickets, beside custom fields: `custom_fields.KEY` and `contact.custom_fields.KEY`. */
export const ticketColumns = [
  'number',
  'contact',
  'organization',
  'subject',
  'status',
  'priority',
  'assignee',
  'department',
  'tags',
  'channel',
  'waiting_since',
  'last_message',
  'created_at',
  'closed_at',
  'rating',
] as const
export type TicketColumn = (typeof ticketColumns)[number]

export const isCustomColumn = (column: string): boolean => /^(?:contact\.)?custom_fields\./.test(column)
