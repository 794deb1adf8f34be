import type { Caller } from '../../core/endpoint.ts'
import { now, toDatabase } from '../../core/time.ts'
import { type DbOrTx, type Tx, transact } from '../../events/transaction.ts'
import { attempt, inParallel } from '../lots.ts'
import { type LockedTicket, lockTickets } from '../queries.ts'
import {
  type ChangeRow,
  countRunChanges,
  listCurrentFields,
  listLaterChanges,
  listRunChanges,
  type RunKey,
  updateUndoTried,
} from './history-queries.ts'
import { showKept } from './kept-fields.ts'
import type { RunUndo, RunUndoResult } from './schema.ts'
import { requireUndoable } from './undo-change.ts'
import { type Undone, undoLocked } from './undo-locked.ts'

/** Undoing a bulk action. */

const lotSize = 100
const lotsPerRequest = 5

type Item = RunUndoResult['items'][number]

const nothing: Undone = { undone: [], kept: [], missing: [], wasUndone: false }

interface Attempt {
  change: ChangeRow
  outcome: Undone
  error: Item['error']
}

/** An error changes nothing of its ticket, because all checks come before the first write. */
async function undoAll(
  tx: Tx,
  caller: Caller,
  changes: ChangeRow[],
  tickets: LockedTicket[],
): Promise<Attempt[]> {
  const ids = tickets.map(({ id }) => id)
  const current = new Map((await listCurrentFields(tx, tx.projectId, ids)).map(row => [row.id, row]))
  const later = Map.groupBy(await listLaterChanges(tx, tx.projectId, changes), ({ ticket_id }) => ticket_id)
  const attempts: Attempt[] = []
  await inParallel(changes, async change => {
    const ticket = tickets.find(({ id }) => id === change.ticket_id)!
    const sides = { current: current.get(ticket.id)!, later: later.get(ticket.id) ?? [] }
    let outcome = nothing
    const error = await attempt(async () => {
      requireUndoable(ticket, change)
      outcome = await undoLocked(tx, caller, ticket, change, sides)
    })
    attempts.push({ change, outcome, error })
  })
  return attempts
}

/** Locks the tickets, and then reads again which changes another request has not undone. */
async function undoLot(tx: Tx, caller: Caller, run: RunKey): Promise<Item[]> {
  const { projectId } = tx
  const found = await listRunChanges(tx, projectId, run, lotSize)
  const ids = [...new Set(found.map(({ ticket_id }) => ticket_id))]
  if (!ids.length) return []
  const tickets = await lockTickets(tx, projectId, ids)
  const changes = await listRunChanges(tx, projectId, { ...run, ticket_ids: ids }, lotSize)
  const attempts = await undoAll(tx, caller, changes, tickets)
  const tried = attempts.map(({ change }) => change.id)
  const undone = attempts.flatMap(({ change, outcome }) => (outcome.undone.length ? [change.id] : []))
  await updateUndoTried(tx, projectId, tried, undone, toDatabase(now()))
  const kept = await showKept(
    tx,
    attempts.map(({ outcome }) => outcome),
  )
  return attempts.map(({ change, outcome, error }, n) => ({
    ticket_id: change.ticket_id,
    undone: outcome.undone,
    kept: kept[n]!,
    error,
  }))
}

export async function undoRun(
  store: DbOrTx,
  caller: Caller,
  { run_id, ticket_ids = null }: Omit<RunUndo, 'ticket_ids'> & { ticket_ids?: string[] | null },
): Promise<RunUndoResult> {
  const run = { run_id, ticket_ids }
  const items: Item[] = []
  for (let lots = 0; lots < lotsPerRequest; lots++) {
    const some = await transact(store, caller.project.id, tx => undoLot(tx, caller, run))
    if (!some.length) break
    items.push(...some)
  }
  return { items, remaining: await countRunChanges(store, caller.project.id, run) }
}
