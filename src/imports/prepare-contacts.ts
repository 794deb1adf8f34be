import { indexedContacts } from '../contacts/contacts.ts'
import { toDatabase } from '../core/time.ts'
import { textsOf } from '../custom-fields/custom-fields.ts'
import type { Written } from '../words/words.ts'
import { cleanItem, findProblem, readPastTime } from './check-items.ts'
import { type ImportedContact, type ImportWarning, importedContact } from './schema.ts'

/** Checks and converts imported contacts before their transaction begins. */

export interface PreparedContact {
  item: ImportedContact
  problem: string | null
  warnings: ImportWarning[]
  created_at: string | null
  updated_at: string | null
  blocked_at: string | null
  last_seen_at: string | null
}

/** `path` comes before the names of fields in warnings, such as `contact.`. */
export function prepareContact(sent: ImportedContact, path = ''): PreparedContact {
  const item = cleanItem(sent)
  const warnings: ImportWarning[] = []
  const past = (field: 'created_at' | 'updated_at' | 'blocked_at' | 'last_seen_at') =>
    readPastTime(item[field], `${path}${field}`, warnings)
  return {
    item,
    problem: findProblem(importedContact, item),
    warnings,
    created_at: past('created_at'),
    updated_at: past('updated_at'),
    blocked_at: past('blocked_at'),
    last_seen_at: past('last_seen_at'),
  }
}

export const contactTexts = ({ item, problem }: PreparedContact): Written[] =>
  problem
    ? []
    : [item.full_name ?? '', ...textsOf(item.custom_fields ?? {})].map(text => ({
        text,
        language: item.language ?? null,
      }))

/** The columns of a new contact that do not depend on other contacts. */
export function contactColumns(
  { item, ...times }: PreparedContact,
  current: string,
  custom_fields: Record<string, unknown>,
) {
  const { full_name = null, phone = null, telegram_username = null } = item
  const orNull = (time: string | null) => time && toDatabase(time)
  const createdAt = times.created_at ?? current
  return {
    full_name,
    phone,
    telegram_username,
    avatar_url: item.avatar_url ?? null,
    language: item.language ?? null,
    timezone: item.timezone ?? null,
    source: item.source ?? 'import',
    custom_fields,
    note: item.note ?? null,
    blocked_at: orNull(times.blocked_at),
    last_seen_at: orNull(times.last_seen_at),
    created_at: toDatabase(createdAt),
    updated_at: toDatabase(times.updated_at ?? createdAt),
  }
}

export const printImportedContact = indexedContacts.printIndex
