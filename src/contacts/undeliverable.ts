import type { Tx } from '../events/transaction.ts'
import { storedEmailSpelling } from './identities.ts'
import { updateUndeliverable } from './identity-queries.ts'
import { updateContact } from './queries.ts'

/** Records whether a contact's address accepts email. Addresses of other people are ignored. */
export async function setUndeliverable(tx: Tx, address: string, isUndeliverable: boolean): Promise<void> {
  const value = await storedEmailSpelling(tx, tx.projectId, address)
  const contactId = await updateUndeliverable(tx, tx.projectId, value, isUndeliverable)
  if (contactId) await updateContact(tx, contactId, {})
}
