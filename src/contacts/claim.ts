import { newId } from '../core/ids.ts'
import { isVisible } from '../core/text/visible-text.ts'
import type { Tx } from '../events/transaction.ts'
import { type Identifiers, identitiesOf, storedEmailSpelling } from './identities.ts'
import { updateIdentitiesVerified } from './identity-queries.ts'
import type { VerifiedHow } from './identity-schema.ts'
import { findContactByIdentity, insertContact, lockContact, updateContact } from './queries.ts'
import { type Upserted, upsertContact } from './upsert.ts'

/** A contact as a page of the project describes it. */
export interface ContactClaim {
  /** The identifiers by which the contact is found, and which it gets. */
  identifiers: Identifiers
  /** An unproved address. It is shown, but no contact is found by it. */
  email?: string | null
  details: Details
  /** Whether the identifiers are proved, so that the details may change an existing contact. */
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
 * Shows an unproved address without creating an identity, so that it never leads to this contact: somebody could claim it to get the
 * mail of others. Whether another contact has the address is not revealed, because that would show which addresses are known.
 */
export async function showEmail(tx: Tx, id: string, email: string): Promise<void> {
  const value = await storedEmailSpelling(tx, tx.projectId, email)
  if ((await findContactByIdentity(tx, tx.projectId, { type: 'email', value })) !== null) return
  const old = (await lockContact(tx, tx.projectId, id))!
  if (old.email === null) await updateContact(tx, id, { email: value })
}

/** Marks identities as verified, after `upsertContact` has locked them. */
export async function verifyIdentities(
  tx: Tx,
  { id, isNew }: Upserted,
  identifiers: Identifiers,
  how: VerifiedHow,
): Promise<void> {
  const identities = await identitiesOf(tx, tx.projectId, identifiers)
  const verified = await updateIdentitiesVerified(tx, tx.projectId, id, identities, { how })
  if (verified && !isNew) await updateContact(tx, id, {})
}

export async function claimContact(tx: Tx, claim: ContactClaim, source: string): Promise<Upserted> {
  const { identifiers, email, isTrusted } = claim
  const details = given(claim.details)
  const found = await upsertContact(tx, { ...identifiers, ...(isTrusted && details) }, source)
  const { id, isNew } = found
  if (isNew && !isTrusted && Object.keys(details).length) await updateContact(tx, id, details)
  if (isTrusted) await verifyIdentities(tx, found, identifiers, 'widget')
  if (email && (isNew || isTrusted)) await showEmail(tx, id, email)
  return found
}

/** Creates a contact without identities. */
export async function createAnonymous(tx: Tx, details: Details, source: string): Promise<string> {
  const id = newId()
  await insertContact(tx, id, { ...given(details), source })
  return id
}
