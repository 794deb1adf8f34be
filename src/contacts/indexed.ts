import { printVector } from '../core/words/vector.ts'
import { textsOf } from '../custom-fields/custom-fields.ts'
import type { Gathered, Indexed } from '../words/words.ts'

/** The searchable text of a contact. */

interface Texts {
  full_name?: string | null
  email?: string | null
  phone?: string | null
  external_id?: string | null
  telegram_username?: string | null
  custom_fields?: Record<string, unknown>
}

const columns: (keyof Texts)[] = [
  'full_name',
  'email',
  'phone',
  'external_id',
  'telegram_username',
  'custom_fields',
]

/** The minimum number of final digits by which a phone number is found. */
const minEndingDigits = 4

export const printContactIndex = (contact: Texts): string =>
  printVector(
    { text: contact.full_name ?? null },
    { text: contact.email ?? null },
    { text: contact.phone ?? null, shortestEnding: minEndingDigits },
    { text: contact.external_id ?? null },
    { text: contact.telegram_username ?? null },
    ...textsOf(contact.custom_fields ?? {}).map(text => ({ text })),
  )

export const hasSearchedContactField = (fields: object): boolean => columns.some(column => column in fields)

export const indexedContacts: Indexed<Texts> = { table: 'contacts', columns, printIndex: printContactIndex }

export const gatheredContacts: Gathered<Texts & { language: string | null }> = {
  name: 'contacts',
  rows: (sql, projectId) => sql`contacts c where c.project_id = ${projectId}`,
  id: 'c.id',
  changedAt: sql => sql`c.updated_at`,
  columns: sql =>
    sql`jsonb_build_object('full_name', c.full_name, 'custom_fields', c.custom_fields, 'language', c.language)`,
  read: ({ full_name, custom_fields, language }) =>
    [full_name, ...textsOf(custom_fields ?? {})].flatMap(text => (text ? [{ text, language }] : [])),
}
