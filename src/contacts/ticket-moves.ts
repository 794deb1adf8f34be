import { anyId, type Sql } from '../core/db/db.ts'
import { toDatabase } from '../core/time.ts'
import { lockActivities } from '../events/activity.ts'
import type { ChangedBy } from '../events/ticket-history.ts'
import type { Tx } from '../events/transaction.ts'

/** Tickets that go to another contact because a merge was undone or an identity was moved: a queue, because there may be many. */

export type MoveCause = 'contact_unmerged' | 'identity_moved'

interface TicketMove {
  from_id: string
  to_id: string
  cause: MoveCause
  written_after: string | null
  moved_by: ChangedBy
}

/** Tickets per transaction, which limits how long other writers of the project wait. */
export const ticketBatchSize = 500

/** Records which contact the tickets belong to now, and emits events. The rows must be locked. */
export function emitMoved(
  tx: Tx,
  ids: string[],
  { cause, by, from, to }: { cause: MoveCause | 'contact_merged'; by: ChangedBy; from: string; to: string },
): void {
  tx.touch('ticket', ...ids)
  for (const ticketId of ids) tx.record({ ticketId, by, changes: { contact_id: [from, to] } })
  const common = { cause, contact_id: to, previous_contact_id: from }
  tx.emit(...ids.map(ticket_id => ({ type: 'ticket.updated' as const, data: { ticket_id, ...common } })))
}

/** When a contact with waiting tickets is merged, they wait for the contact that remains. */
export async function updateTicketMoves(tx: Tx, from: string, to: string): Promise<void> {
  await tx`update contact_ticket_moves set from_id = ${to} where project_id = ${tx.projectId} and from_id = ${from}`
  await tx`update contact_ticket_moves set to_id = ${to} where project_id = ${tx.projectId} and to_id = ${from}`
}

async function findTicketMove(sql: Sql, projectId: string): Promise<TicketMove | null> {
  const [row] = await sql<TicketMove[]>`
    select from_id, to_id, cause, written_after, moved_by from contact_ticket_moves
    where project_id = ${projectId} limit 1`
  return row ?? null
}

/** Locks both contacts, so that neither is merged in the meantime. */
const lockContacts = (tx: Tx, ids: string[]) => tx`
  select from contacts where project_id = ${tx.projectId} and id = ${anyId(tx, ids)} order by id for no key update`

/** Takes tickets from the queue. */
async function deleteTicketMoves(tx: Tx, { from_id, to_id, cause }: TicketMove): Promise<string[]> {
  const rows = await tx<{ ticket_id: string }[]>`
    delete from contact_ticket_moves where project_id = ${tx.projectId} and ticket_id in (
      select ticket_id from contact_ticket_moves
      where project_id = ${tx.projectId} and from_id = ${from_id} and to_id = ${to_id} and cause = ${cause}
      order by ticket_id limit ${ticketBatchSize})
    returning ticket_id`
  return rows.map(row => row.ticket_id)
}

/** Changes the contact of those tickets that still belong to `from_id`. Tickets are locked before their messages and activity. */
async function updateMovedTickets(tx: Tx, { from_id, to_id }: TicketMove, ids: string[]): Promise<string[]> {
  const { projectId } = tx
  const owned = await tx<{ id: string }[]>`
    select id from tickets where project_id = ${projectId} and id = ${anyId(tx, ids)} and contact_id = ${from_id}
    order by id for no key update`
  const own = owned.map(({ id }) => id)
  if (own.length === 0) return own
  await tx`
    update tickets set contact_id = ${to_id}, version = version + 1
    where project_id = ${projectId} and id = ${anyId(tx, own)}`
  return own
}

async function updateSenders(
  tx: Tx,
  { from_id, to_id, written_after }: TicketMove,
  ids: string[],
): Promise<void> {
  const since = written_after === null ? '-infinity' : toDatabase(written_after)
  const written = await tx<{ id: string }[]>`
    update messages set sender_id = ${to_id}, version = version + 1
    where project_id = ${tx.projectId} and ticket_id = ${anyId(tx, ids)} and sender_type = 'contact'
      and sender_id = ${from_id} and created_at > ${since}::timestamptz
    returning id`
  tx.touch('message', ...written.map(({ id }) => id))
}

/** Moves a batch of the waiting tickets, and returns how many were taken from the queue. */
export async function moveDueTickets(tx: Tx): Promise<number> {
  const move = await findTicketMove(tx, tx.projectId)
  if (!move) return 0
  await lockContacts(tx, [move.from_id, move.to_id])
  const taken = await deleteTicketMoves(tx, move)
  const ids = await updateMovedTickets(tx, move, taken)
  if (ids.length) {
    await updateSenders(tx, move, ids)
    await lockActivities(tx, tx.projectId, ids)
    emitMoved(tx, ids, { cause: move.cause, by: move.moved_by, from: move.from_id, to: move.to_id })
  }
  return taken.length
}
