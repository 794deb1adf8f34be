import type { Vault } from '../core/crypto.ts'
import type { Tx } from '../events/transaction.ts'
import { createUnreadSending } from './email/outgoing/send-unread.ts'
import { findEmailRoute } from './widget/unread-queries.ts'

export type MessageByEmail = (tx: Tx, message: { id: string; ticket_id: string }) => Promise<boolean>

/**
 * Emails a reply whose chat in a messenger is closed, as if the contact had not read it in the chat of a website. Returns false if the project
 * has no mailbox for these replies, or the contact has no verified address.
 */
export function createEmailInstead(deps: { vault: Vault }): MessageByEmail {
  const send = createUnreadSending(deps)
  return async (tx, { id, ticket_id }) => {
    const route = await findEmailRoute(tx, tx.projectId, ticket_id)
    return route !== null && (await send(tx, { ticketId: ticket_id, ids: [id], route }))
  }
}
