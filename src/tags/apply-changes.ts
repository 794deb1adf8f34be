import type { Db } from '../core/db/db.ts'
import { lockActivities } from '../events/activity.ts'
import { changedBySystem } from '../events/ticket-history.ts'
import { type Tx, transact } from '../events/transaction.ts'
import {
  deleteTagChange,
  findDueTagChange,
  lockTagChange,
  type TagChangeRow,
  updateTaggedRows,
} from './queries.ts'

/** Records per transaction, which limits how long a reply to one of the tickets waits. */
const changeBatchSize = 500

/** Emits events for open tickets. Closed tickets change without an event, as when a department is deleted. */
async function emitChanges(tx: Tx, ids: string[]): Promise<void> {
  const tickets = await lockActivities(tx, tx.projectId, ids)
  tx.touch('ticket', ...ids)
  tx.emit(
    ...tickets
      .filter(({ is_open }) => is_open)
      .map(({ id }) => ({
        type: 'ticket.updated' as const,
        data: { ticket_id: id, cause: 'tag_changed' },
      })),
  )
}

function recordChange(
  tx: Tx,
  { by, old_name, new_name }: TagChangeRow,
  ticketId: string,
  had_new: boolean,
): void {
  const added = new_name === null || had_new ? [] : [new_name]
  tx.record({ ticketId, by: by ?? changedBySystem, changes: { tags: { added, removed: [old_name] } } })
}

async function rewrite(tx: Tx, change: TagChangeRow): Promise<number> {
  const tickets = await updateTaggedRows(tx, 'tickets', change, changeBatchSize)
  if (tickets.length) {
    for (const { id, had_new } of tickets) recordChange(tx, change, id, had_new)
    await emitChanges(
      tx,
      tickets.map(({ id }) => id),
    )
    return tickets.length
  }
  const contacts = await updateTaggedRows(tx, 'contacts', change, changeBatchSize)
  tx.touch('contact', ...contacts.map(({ id }) => id))
  return contacts.length
}

const rewriteSome = (db: Db, change: TagChangeRow): Promise<number> =>
  transact(db, change.project_id, async tx => {
    if ((await lockTagChange(tx, change)).length === 0) return 0
    const done = await rewrite(tx, change)
    if (done === 0) await deleteTagChange(tx, change)
    return Math.max(done, 1)
  })

/** Applies renamed, merged and deleted tags to records, and returns how many were changed. */
export async function applyTagChanges(db: Db, projectId: string): Promise<number> {
  const [change] = await findDueTagChange(db, projectId)
  return change ? rewriteSome(db, change) : 0
}
