import type { Db } from '../core/db.ts'
import { type Tx, transact } from '../events/transaction.ts'
import {
  deleteChange,
  findDueChange,
  lockChange,
  rewriteTags,
  type TagChangeRow,
  touchOpen,
} from './queries.ts'

/** In one transaction; a ticket that is being answered waits no longer than this takes. */
const batch = 500

/** As when a department ends: closed ones are changed without a word. */
async function tellTickets(tx: Tx, tickets: readonly { id: string }[]): Promise<void> {
  const open = await touchOpen(
    tx,
    tx.projectId,
    tickets.map(({ id }) => id),
  )
  tx.emit(
    ...open.map(({ id }) => ({
      type: 'ticket.updated' as const,
      data: { ticket_id: id, cause: 'tag_changed' },
    })),
  )
}

const rewriteSome = (db: Db, change: TagChangeRow): Promise<number> =>
  transact(db, change.project_id, async tx => {
    if ((await lockChange(tx, change)).length === 0) return 0
    const tickets = await rewriteTags(tx, 'tickets', change, batch)
    await tellTickets(tx, tickets)
    const done = tickets.length || (await rewriteTags(tx, 'contacts', change, batch)).length
    if (done === 0) await deleteChange(tx, change)
    return Math.max(done, 1)
  })

/** Brings renamed, merged and deleted tags to what has them; answers how much there was to do. */
export async function bringTagChanges(db: Db, projectId: string): Promise<number> {
  const [change] = await findDueChange(db, projectId)
  return change ? rewriteSome(db, change) : 0
}
