import { isEmail } from '../../core/email.ts'
import { refuse } from '../../core/errors.ts'
import { isVisible } from '../../core/text/visible-text.ts'
import type { PrechatField } from './settings-schema.ts'
import type { Visitor } from './visitor.ts'

/** What a visitor has entered before the first message. */
export interface Prechat {
  name: string | null
  email: string | null
  phone: string | null
  custom_fields: Record<string, string>
}

const ofContact = ['name', 'email', 'phone']

/** Visitors are not asked for data that is already known. */
const isAsked = ({ is_identified, contact_id }: Visitor, key: string): boolean =>
  contact_id === null || !(is_identified || ofContact.includes(key))

export function readPrechat(fields: PrechatField[], visitor: Visitor, sent: Record<string, string>): Prechat {
  const given = new Map(
    fields.flatMap(({ key }) => {
      const value = (sent[key] ?? '').trim().replaceAll('\0', '')
      return isVisible(value) ? [[key, value] as const] : []
    }),
  )
  const missing = fields.find(one => one.is_required && isAsked(visitor, one.key) && !given.has(one.key))
  if (missing) throw refuse(`fields.${missing.key}`, 'required')
  const email = given.get('email') ?? null
  if (email !== null && !isEmail(email)) throw refuse('fields.email', 'not_an_email')
  return {
    name: given.get('name')?.slice(0, 255) ?? null,
    email,
    phone: given.get('phone')?.slice(0, 64) ?? null,
    custom_fields: Object.fromEntries([...given].filter(([key]) => !ofContact.includes(key))),
  }
}
