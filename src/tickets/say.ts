import type { Caller } from '../core/endpoint.ts'
import type { Tx } from '../events/transaction.ts'
import { addMessage, systemDraft } from '../messages/messages.ts'
import type { Status } from './status.ts'

/** What the log, and the system in the conversation, say about a ticket's moves. */

/** A status that changed by itself. */
export const emitMove = (tx: Tx, id: string, from: Status, to: Status, cause: string): void =>
  tx.emit({ type: 'ticket.updated', data: { ticket_id: id, status: to, previous_status: from, cause } })

/** Tells the team who did what: a note of the system, which no contact sees. What integrations do, the log tells. */
export async function say(
  tx: Tx,
  { actor }: Caller,
  ticketId: string,
  kind: string,
  text: (name: string) => string,
  data: Record<string, unknown> = {},
): Promise<void> {
  if (actor.type !== 'operator') return
  const by = { id: actor.id, name: actor.name }
  await addMessage(tx, {
    ...systemDraft(ticketId, kind, text(actor.name), { ...data, by }),
    is_internal: true,
  })
}
