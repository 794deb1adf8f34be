import { printVector } from '../core/words/vector.ts'
import { textsOf } from '../custom-fields/custom-fields.ts'
import type { Gathered, Indexed } from '../words/words.ts'

/** The searchable texts of a ticket, besides its messages. */

interface Texts {
  subject: string
  custom_fields?: Record<string, unknown>
}

export const printTicketIndex = ({ subject, custom_fields = {} }: Texts): string =>
  printVector({ text: subject }, ...textsOf(custom_fields).map(text => ({ text })))

export const hasSearchedTicketField = (fields: object): boolean =>
  'subject' in fields || 'custom_fields' in fields

export const indexedTickets: Indexed<Texts> = {
  table: 'tickets',
  columns: ['subject', 'custom_fields'],
  printIndex: printTicketIndex,
}

export const gatheredTickets: Gathered<Texts & { language: string | null }> = {
  name: 'tickets',
  rows: (sql, projectId) =>
    sql`ticket_activity a join tickets t on t.project_id = ${projectId} and t.id = a.ticket_id
      join contacts c on c.project_id = ${projectId} and c.id = t.contact_id where a.project_id = ${projectId}`,
  id: 'a.ticket_id',
  changedAt: sql => sql`a.updated_at`,
  columns: sql =>
    sql`jsonb_build_object('subject', t.subject, 'custom_fields', t.custom_fields,
      'language', coalesce(t.language, c.language))`,
  read: ({ subject, custom_fields = {}, language }) =>
    [subject, ...textsOf(custom_fields)].map(text => ({ text, language })),
}
