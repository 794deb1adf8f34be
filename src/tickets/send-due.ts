import type { Db } from '../core/db/db.ts'
import { runDueActions } from '../events/due-actions.ts'
import type { Tx } from '../events/transaction.ts'
import { findDueMessages, sendScheduledNow } from '../messages/messages.ts'
import { getLocked } from './find.ts'
import { followUp } from './follow-up.ts'

/** Sends the due messages of a project and updates their tickets. Returns how many were sent. */
export async function sendDueMessages(db: Db, projectId: string, limit = 100): Promise<number> {
  const due = await findDueMessages(db, projectId, limit)
  const tickets = new Map(due.map(({ id, ticket_id }) => [id, ticket_id]))
  const send = async (tx: Tx, id: string): Promise<boolean> => {
    const ticket = await getLocked(tx, tickets.get(id)!)
    const sent = await sendScheduledNow(tx, ticket.id, id)
    if (sent) await followUp(tx, ticket, sent)
    return sent !== null
  }
  return runDueActions(db, due, send)
}
