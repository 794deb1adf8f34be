import type { Tx } from '../events/transaction.ts'
import { matchOrder } from './identities.ts'
import {
  type IdentityRecord,
  type IdentityType,
  listIdentities,
  updateIdentityPrimary,
} from './identity-queries.ts'
import type { ContactFields, LockedContact } from './queries.ts'

/** Which of a contact's identities of a type is its main one, and is shown in the field of the contact. */

const printed = (value: unknown): string | null => (value === null ? null : String(value))

/** Verified identities first, then the oldest. */
const bestOf = (identities: IdentityRecord[]): IdentityRecord | undefined =>
  identities.toSorted(
    (a, b) =>
      Number(b.is_verified) - Number(a.is_verified) ||
      a.created_at.localeCompare(b.created_at) ||
      a.value.localeCompare(b.value),
  )[0]

/**
 * The identifiers of a contact whose identities have changed. If the main identity of a type is lost, another one takes its place. An
 * address that is only shown, because it is not verified, stays.
 */
export async function replacePrimaries(
  tx: Tx,
  contact: LockedContact,
  lost: IdentityType[] = [],
): Promise<ContactFields> {
  const identities = await listIdentities(tx, tx.projectId, contact.id)
  const fields: Record<string, unknown> = {}
  for (const [type, field] of matchOrder) {
    const shown = printed(contact[field])
    const own = identities.filter(one => one.type === type)
    const isLost = lost.includes(type)
    const primary = own.find(one => one.is_primary) ?? (isLost ? bestOf(own) : undefined)
    if (primary && !primary.is_primary) await updateIdentityPrimary(tx, tx.projectId, primary)
    const isOnlyShown = !isLost && !own.some(({ value }) => value === shown)
    const value = primary?.value ?? (isOnlyShown ? shown : null)
    if (value !== shown) fields[field] = type === 'telegram' && value ? Number(value) : value
  }
  return fields
}
