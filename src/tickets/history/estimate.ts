import type { Db } from '../../core/db/db.ts'
import type { WaitingWork } from '../../core/due/due-work.ts'
import { type Tx, transact } from '../../events/transaction.ts'
import {
  deleteEstimate,
  insertEstimatedChanges,
  insertEstimatedClosings,
  insertEstimatedCreations,
  listTicketsToEstimate,
  lockEstimate,
  updateEstimate,
} from './estimate-queries.ts'

const ticketsPerTransaction = 500

export const waitingEstimates: WaitingWork = sql =>
  sql`select project_id, now() as due_at from history_estimates`

/** Tickets that have a history already, because they were created after it was introduced, are left out. */
export async function estimateTickets(tx: Tx, ids: string[]): Promise<void> {
  const created = await insertEstimatedCreations(tx, tx.projectId, ids)
  if (!created.length) return
  await insertEstimatedChanges(tx, tx.projectId, created)
  await insertEstimatedClosings(tx, tx.projectId, created)
}

/** Estimates the histories of some older tickets. Returns how many tickets it has looked at. */
export const estimateHistories = (db: Db, projectId: string): Promise<number> =>
  transact(db, projectId, async tx => {
    const doneUntil = await lockEstimate(tx, projectId)
    if (doneUntil === null) return 0
    const tickets = await listTicketsToEstimate(tx, projectId, doneUntil, ticketsPerTransaction)
    const last = tickets.at(-1)
    if (!last) {
      await deleteEstimate(tx, projectId)
      return 0
    }
    await estimateTickets(
      tx,
      tickets.map(({ id }) => id),
    )
    await updateEstimate(tx, projectId, last.id)
    return tickets.length
  })
