import type { Caller } from '../core/endpoint.ts'
import { ApiError } from '../core/errors.ts'
import type { DbOrTx } from '../events/transaction.ts'
import { readTicket, unreadTicket } from '../messages/messages.ts'
import { changeTicket } from './change.ts'
import { closeTicket, reopenTicket } from './close.ts'
import type { Bulk, BulkResult } from './inbox-schema.ts'
import { forceTakeTicket, takeTicket } from './take.ts'

/** Performs an action on many tickets. Each is handled separately, so that one that fails does not stop the others. */

type Act = (store: DbOrTx, caller: Caller, reference: string, input: Bulk) => Promise<unknown>

const acts: Record<Bulk['action'], Act> = {
  change: (store, caller, reference, { change = {} }) => changeTicket(store, caller, reference, change, null),
  close: (store, caller, reference, { comment }) => closeTicket(store, caller, reference, { comment }),
  reopen: (store, caller, reference, { comment }) => reopenTicket(store, caller, reference, { comment }),
  take: takeTicket,
  force_take: forceTakeTicket,
  read: readTicket,
  unread: unreadTicket,
}

async function attempt(run: () => Promise<unknown>): Promise<BulkResult['error']> {
  try {
    await run()
    return null
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { error_code: error.code, error_message: error.message, detail: error.detail }
  }
}

export async function actOnTickets(store: DbOrTx, caller: Caller, input: Bulk): Promise<BulkResult[]> {
  const results: BulkResult[] = []
  for (const ticket_id of new Set(input.ticket_ids)) {
    const error = await attempt(() => acts[input.action](store, caller, ticket_id, input))
    results.push({ ticket_id, error })
  }
  return results
}
