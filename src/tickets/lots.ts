import pLimit from 'p-limit'
import type { Caller } from '../core/endpoint.ts'
import { ApiError } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { type DbOrTx, type Tx, transact } from '../events/transaction.ts'
import type { BulkResult } from './inbox-schema.ts'
import { type LockedTicket, lockTickets } from './queries.ts'

/** Changes many tickets in batches, with one transaction for each. */

/** Limits how long others wait for one of the tickets. */
const lotSize = 100

type BulkError = BulkResult['error']

const toBulkError = ({ code, message, detail }: ApiError): BulkError => ({
  error_code: code,
  error_message: message,
  detail,
})

const missing = toBulkError(new ApiError('TICKET_NOT_FOUND'))

/** Null if it succeeds. */
export async function attempt(run: () => Promise<unknown>): Promise<BulkError> {
  try {
    await run()
    return null
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return toBulkError(error)
  }
}

/** Statements that are sent without waiting for each other's results take a third of the time. */
const maxAtOnce = 10

/** Waits for all, even if one throws an error, because the transaction must not end before they do. */
export async function inParallel<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const limit = pLimit(maxAtOnce)
  const ended = await Promise.allSettled(items.map(item => limit(act, item)))
  for (const one of ended) if (one.status === 'rejected') throw one.reason
}

/** Thrown so that nothing of a batch is committed. */
class LotFailed extends Error {}

type ChangeOne = (tx: Tx, ticket: LockedTicket) => Promise<unknown>

/** Adds the errors of those that fail. Returns whether all others were changed. */
async function changeLot(
  store: DbOrTx,
  { project }: Caller,
  ids: string[],
  runId: string | null,
  change: ChangeOne,
  errors: Map<string, BulkError>,
): Promise<boolean> {
  const changeAll = async (tx: Tx) => {
    tx.runId = runId
    const tickets = await lockTickets(tx, project.id, ids.filter(isId))
    await inParallel(tickets, async ticket => {
      const error = await attempt(() => change(tx, ticket))
      if (error) errors.set(ticket.id, error)
    })
    if (ids.some(id => errors.has(id))) throw new LotFailed()
    const locked = new Set(tickets.map(({ id }) => id))
    for (const id of ids) if (!locked.has(id)) errors.set(id, missing)
  }
  try {
    await transact(store, project.id, changeAll)
    return true
  } catch (error) {
    if (error instanceof LotFailed) return false
    throw error
  }
}

/**
 * Changes the tickets. If some of a batch cannot be changed, its transaction is rolled back, because they may have been changed
 * partly, and is repeated without them. Returns the errors by ticket.
 */
export async function changeInLots(
  store: DbOrTx,
  caller: Caller,
  ids: string[],
  runId: string | null,
  change: ChangeOne,
): Promise<Map<string, BulkError>> {
  const errors = new Map<string, BulkError>()
  for (let at = 0; at < ids.length; at += lotSize) {
    const lot = ids.slice(at, at + lotSize)
    let left = lot
    while (left.length && !(await changeLot(store, caller, left, runId, change, errors)))
      left = lot.filter(id => !errors.has(id))
  }
  return errors
}
