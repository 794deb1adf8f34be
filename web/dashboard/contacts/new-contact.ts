import { api, take } from '../core/api.ts'
import { newId } from '../core/id.ts'
import { text } from '../core/text.ts'
import type { Contact } from './queries.ts'

/** A contact that a person is creating. */
export interface NewContactValues {
  full_name: string
  email: string
  phone: string
  external_id: string
  note: string
}

export const noContactValues: NewContactValues = {
  full_name: '',
  email: '',
  phone: '',
  external_id: '',
  note: '',
}

const looksLikePhone = (words: string): boolean => /^\+?[\d\s()/.-]{5,}$/.test(words)

/** The initial values of a new contact, taken from the words that were typed. */
export function contactValuesOf(typed: string): NewContactValues {
  const words = typed.trim()
  if (words.includes('@')) return { ...noContactValues, email: words }
  return { ...noContactValues, [looksLikePhone(words) ? 'phone' : 'full_name']: words }
}

/** The filled-in values. */
export const filledIn = (values: NewContactValues): Partial<NewContactValues> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([field, value]) => (value.trim() ? [[field, value.trim()]] : [])),
  )

/** The error at the name if the contact has nothing by which it could be found again. */
export const nameErrorOf = ({ note: _, ...values }: NewContactValues): string | null =>
  Object.values(values).some(value => value.trim()) ? null : text.creating.nameNeeded

export const createContact = (
  project_id: string,
  values: NewContactValues,
  key = newId(),
): Promise<Contact> =>
  take(
    api.POST('/projects/{project_id}/contacts', {
      params: { path: { project_id } },
      headers: { 'idempotency-key': key },
      body: filledIn(values),
    }),
  )
