import { newId } from '../core/ids.ts'
import { isVisible } from '../core/visible-text.ts'
import type { Tx } from '../events/transaction.ts'
import { type Identifiers, identitiesOf, storedEmailSpelling } from './identities.ts'
import { updateIdentitiesVerified } from './identity-queries.ts'
import { findContactByIdentity, insertContact, lockContact, updateContact } from './queries.ts'
import { type Upserted, upsertContact } from './upsert.ts'

/** A contact as a page of the project names it. */
export interface ContactClaim {
  /** What the contact is found by, and what becomes its own. */
  identifiers: Identifiers
  /** An address that nothing vouches for: it is shown, and finds nobody. */
  email?: string | null
  details: Details
  /** Whether the identifiers are proved, and the details may change a contact that is known. */
  isTrusted: boolean
}

interface Details {
  full_name?: string | null
  phone?: string | null
  language?: string | null
}

const given = (details: Details): Details =>
  Object.fromEntries(Object.entries(details).filter(([, value]) => value && isVisible(value)))

/**
 * An address that somebody could claim for the mail of others must never lead to this contact: no identity is made. Whether
 * another contact has it is not told: it would say which addresses are known.
 */
async function showEmail(tx: Tx, id: string, email: string): Promise<void> {
  const value = await storedEmailSpelling(tx, tx.projectId, email)
  if ((await findContactByIdentity(tx, tx.projectId, { type: 'email', value })) !== null) return
  const old = (await lockContact(tx, tx.projectId, id))!
  if (old.email === null) await updateContact(tx, id, { email: value })
}

/** `upsertContact` has locked them. */
async function verify(tx: Tx, { id, isNew }: Upserted, identifiers: Identifiers): Promise<void> {
  const identities = await identitiesOf(tx, tx.projectId, identifiers)
  const verified = await updateIdentitiesVerified(tx, tx.projectId, id, identities)
  if (verified && !isNew) await updateContact(tx, id, {})
}

export async function claimContact(tx: Tx, claim: ContactClaim, source: string): Promise<Upserted> {
  const { identifiers, email, isTrusted } = claim
  const details = given(claim.details)
  const found = await upsertContact(tx, { ...identifiers, ...(isTrusted && details) }, source)
  const { id, isNew } = found
  if (isNew && !isTrusted && Object.keys(details).length) await updateContact(tx, id, details)
  if (isTrusted) await verify(tx, found, identifiers)
  if (email && (isNew || isTrusted)) await showEmail(tx, id, email)
  return found
}

/** A contact that nothing identifies. */
export async function createAnonymous(tx: Tx, details: Details, source: string): Promise<string> {
  const id = newId()
  await insertContact(tx, id, { ...given(details), source })
  return id
}
