import type { Tx } from '../events/transaction.ts'
import { storedEmailSpelling } from './identities.ts'
import { updateUndeliverable } from './identity-queries.ts'
import { updateContact } from './queries.ts'

/** Records whether email to these addresses bounces. Addresses that belong to no contact are ignored. */
export async function setUndeliverable(tx: Tx, addresses: string[], isUndeliverable: boolean): Promise<void> {
  if (addresses.length === 0) return
  const values: string[] = []
  for (const address of addresses) values.push(await storedEmailSpelling(tx, tx.projectId, address))
  for (const id of await updateUndeliverable(tx, tx.projectId, values, isUndeliverable))
    await updateContact(tx, id, {})
}
