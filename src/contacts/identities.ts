import type { Sql } from '../core/db/db.ts'
import { foldEmail, listSpellings } from '../core/email.ts'
import { BriefError } from '../core/errors.ts'
import { findAddress, type Identity, type IdentityType } from './identity-queries.ts'
import type { ContactFields } from './queries.ts'
import type { ContactChange } from './schema.ts'

/** The order in which identifiers are looked up. The first match decides. */
export const matchOrder = [
  ['external', 'external_id'],
  ['telegram', 'telegram_id'],
  ['email', 'email'],
] as const

export type Identifier = (typeof matchOrder)[number][1]
export type Identifiers = Pick<ContactChange, Identifier>

/** The spelling in which the address of a contact is stored, or will be stored. */
export async function storedEmailSpelling(sql: Sql, projectId: string, sent: string): Promise<string> {
  const spellings = listSpellings(sent)
  return (spellings.length > 1 && (await findAddress(sql, projectId, spellings))) || foldEmail(sent)
}

/** The id of the contact with this address, in any of its spellings; null if there is none. */
export async function findContactByEmail(sql: Sql, projectId: string, sent: string): Promise<string | null> {
  const value = await storedEmailSpelling(sql, projectId, sent)
  const [row] = await sql<{ contact_id: string }[]>`
    select contact_id from contact_identities
    where project_id = ${projectId} and type = 'email' and value = ${value}`
  return row?.contact_id ?? null
}

export async function identityValue(
  sql: Sql,
  projectId: string,
  type: IdentityType,
  value: string | number,
): Promise<string> {
  if (type === 'email') return storedEmailSpelling(sql, projectId, String(value))
  return type === 'telegram' ? String(Number(value)) : String(value)
}

export async function identitiesOf(sql: Sql, projectId: string, input: Identifiers): Promise<Identity[]> {
  const identities: Identity[] = []
  for (const [type, field] of matchOrder) {
    const sent = input[field]
    if (sent === undefined || sent === null) continue
    identities.push({ type, value: await identityValue(sql, projectId, type, sent) })
  }
  return identities
}

/** The columns with a contact's primary identifiers. */
export function identifierColumns(identities: Identity[]): ContactFields {
  const columns: ContactFields = {}
  for (const { type, value } of identities) {
    if (type === 'external') columns.external_id = value
    else if (type === 'telegram') columns.telegram_id = Number(value)
    else if (type === 'email') columns.email = value
  }
  return columns
}

export function requireIdentifier(input: Identifiers): void {
  const isGiven = (value: unknown) => value !== undefined && value !== null
  if (!isGiven(input.telegram_id) && !isGiven(input.email)) throw new BriefError('contact_unidentified')
}
