import type { Caller } from '../../core/endpoint.ts'
import { ApiError, refuse } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { now, toDatabase } from '../../core/time.ts'
import { type DbOrTx, type Tx, transactAndRead } from '../../events/transaction.ts'
import { getLocked, getTicket } from '../find.ts'
import type { LockedTicket } from '../queries.ts'
import {
  type ChangeRow,
  findChange,
  listCurrentFields,
  listLaterChanges,
  updateUndone,
} from './history-queries.ts'
import { showKept } from './kept-fields.ts'
import type { UndoInput, UndoResult } from './schema.ts'
import { undoLocked } from './undo-locked.ts'
import { findObstacle } from './undoable.ts'

/** Undoing one change to a ticket. */

export function requireUndoable({ merged_into_id }: LockedTicket, change: ChangeRow): void {
  const reason = findObstacle(change) ?? (merged_into_id === null ? null : 'merged')
  if (reason) throw new ApiError('CHANGE_NOT_UNDOABLE', { reason })
}

async function getUndoableChange(tx: Tx, ticket: LockedTicket, id: string): Promise<ChangeRow> {
  const change = isId(id) ? await findChange(tx, tx.projectId, ticket.id, id) : null
  if (!change) throw refuse('id', 'not_found')
  requireUndoable(ticket, change)
  return change
}

/** Undoing an undo makes the change that it undid effective again, and so on. */
async function markUndone(tx: Tx, id: string): Promise<void> {
  const at = toDatabase(now())
  let next: string | null = id
  for (let isUndone = true; next !== null; isUndone = !isUndone)
    next = await updateUndone(tx, tx.projectId, next, isUndone ? at : null)
}

async function undo(tx: Tx, caller: Caller, ticket: LockedTicket, change: ChangeRow) {
  const [current] = await listCurrentFields(tx, tx.projectId, [ticket.id])
  const later = await listLaterChanges(tx, tx.projectId, [change])
  const outcome = await undoLocked(tx, caller, ticket, change, { current: current!, later })
  if (outcome.undone.length) await markUndone(tx, change.id)
  const [kept] = await showKept(tx, [outcome])
  return { undone: outcome.undone, kept: kept! }
}

export const undoChange = (
  store: DbOrTx,
  caller: Caller,
  reference: string,
  { id }: UndoInput,
  version: number | null,
): Promise<UndoResult> =>
  transactAndRead(
    store,
    caller.project.id,
    async tx => {
      const ticket = await getLocked(tx, reference, version)
      const change = await getUndoableChange(tx, ticket, id)
      return { ticketId: ticket.id, ...(await undo(tx, caller, ticket, change)) }
    },
    async (tx, { ticketId, ...outcome }) => ({
      ticket: await getTicket(tx, tx.projectId, ticketId),
      ...outcome,
    }),
  )
