import { foldEmail } from '../core/email.ts'
import { BriefError } from '../core/errors.ts'
import type { Identity, IdentityType } from './identity-queries.ts'
import type { ContactFields } from './queries.ts'
import type { ContactChange } from './schema.ts'

/** The first that names a contact decides which one it is. */
export const matchOrder = [
  ['external', 'external_id'],
  ['telegram', 'telegram_id'],
  ['email', 'email'],
] as const

export type Identifier = (typeof matchOrder)[number][1]
export type Identifiers = Pick<ContactChange, Identifier>

export const identityValue = (type: IdentityType, value: string | number): string =>
  type === 'telegram' ? String(Number(value)) : type === 'email' ? foldEmail(String(value)) : String(value)

export function identitiesOf(input: Identifiers): Identity[] {
  return matchOrder.flatMap(([type, field]) => {
    const value = input[field]
    return value === undefined || value === null ? [] : [{ type, value: identityValue(type, value) }]
  })
}

/** The columns that show a contact's own identifiers. */
export function identifierColumns(identities: Identity[]): ContactFields {
  const columns: ContactFields = {}
  for (const { type, value } of identities) {
    if (type === 'external') columns.external_id = value
    else if (type === 'telegram') columns.telegram_id = Number(value)
    else columns.email = value
  }
  return columns
}

export function requireIdentifier(input: Identifiers): void {
  const isGiven = (value: unknown) => value !== undefined && value !== null
  if (!isGiven(input.telegram_id) && !isGiven(input.email)) throw new BriefError('contact_unidentified')
}
