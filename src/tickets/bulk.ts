import type { Caller } from '../core/endpoint.ts'
import { isId } from '../core/ids.ts'
import type { DbOrTx, Tx } from '../events/transaction.ts'
import { findTicketId, readTicket, unreadTicket } from '../messages/messages.ts'
import { changeLocked } from './change.ts'
import { closeWithComment, reopenWithComment } from './close.ts'
import type { Bulk, BulkResult } from './inbox-schema.ts'
import { attempt, changeInLots } from './lots.ts'
import type { LockedTicket } from './queries.ts'
import { forceTakeLocked, takeLocked } from './take.ts'

/** Performs an action on many tickets. One that fails does not stop the others. */

type Act = (tx: Tx, caller: Caller, ticket: LockedTicket, input: Bulk) => Promise<unknown>

const acts: Record<Exclude<Bulk['action'], 'read' | 'unread'>, Act> = {
  change: (tx, caller, ticket, { change = {} }) => changeLocked(tx, caller, ticket, change),
  close: closeWithComment,
  reopen: reopenWithComment,
  take: takeLocked,
  force_take: forceTakeLocked,
}

const marks = { read: readTicket, unread: unreadTicket }

export async function actOnTickets(store: DbOrTx, caller: Caller, input: Bulk): Promise<BulkResult[]> {
  const references = [...new Set(input.ticket_ids)]
  const { action, run_id = null } = input
  if (action === 'read' || action === 'unread') return markAll(store, caller, references, action)
  const ids = new Map<string, string>()
  for (const reference of references) ids.set(reference, await findId(store, caller, reference))
  const unique = [...new Set(ids.values())]
  const errors = await changeInLots(store, caller, unique, run_id, (tx, ticket) =>
    acts[action](tx, caller, ticket, input),
  )
  return references.map(ticket_id => ({ ticket_id, error: errors.get(ids.get(ticket_id)!) ?? null }))
}

/** A reference that belongs to no ticket stays as it is, and is reported later. */
const findId = async (store: DbOrTx, { project }: Caller, reference: string): Promise<string> =>
  isId(reference) ? reference : ((await findTicketId(store, project.id, reference)) ?? reference)

async function markAll(store: DbOrTx, caller: Caller, references: string[], action: 'read' | 'unread') {
  const results: BulkResult[] = []
  for (const ticket_id of references)
    results.push({ ticket_id, error: await attempt(() => marks[action](store, caller, ticket_id)) })
  return results
}
