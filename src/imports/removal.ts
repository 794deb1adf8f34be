import type { Tx } from '../events/transaction.ts'
import type { ImportCounts } from './queries.ts'

/** What the steps of a removal have in common. */

/** The number of records that one transaction examines. */
export const maxRecords = 500

/** What a transaction deleted, and where the next one begins. */
export interface Removed {
  counts: Partial<ImportCounts>
  kept?: number
  /** The last record that was examined; null if nothing is left for this step. */
  until: string | null
}

export interface Removal {
  tx: Tx
  source: string
  after: string
  isForced: boolean
}
