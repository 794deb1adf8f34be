import type { Vault } from '../core/crypto.ts'
import type { Tx } from '../events/transaction.ts'
import type { DeletedCounts, LockedDeletion } from './queries.ts'

/** One transaction of a deletion. */
export interface Lot {
  tx: Tx
  vault: Vault
  deletion: LockedDeletion
  /** What this transaction has deleted. */
  counts: DeletedCounts
}

/** Does a part of a step. Returns where the next transaction begins, or null if the step is finished. */
export type Step = (lot: Lot) => Promise<string | null>
