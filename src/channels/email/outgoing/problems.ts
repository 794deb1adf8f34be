import { setUndeliverable } from '../../../contacts/contacts.ts'
import type { Tx } from '../../../events/transaction.ts'
import { alertReader } from '../../../messages/messages.ts'
import { record } from '../../../tickets/tickets.ts'
import type { RecipientResult, SentMessage } from './outgoing-queries.ts'

/** Tells the people who work on a ticket about problems with an email. */

/** Marks the addresses of contacts. Called before the message is locked, because contacts are locked before messages. */
export async function markUndeliverable(tx: Tx, addresses: string[]): Promise<void> {
  for (const address of addresses.toSorted()) await setUndeliverable(tx, address, true)
}

/** Notes failures and delays in the ticket. Failures also make it unread for its assignee. */
export async function noteProblems(
  tx: Tx,
  { id, ticket_id, operator_id }: SentMessage,
  changed: RecipientResult[],
): Promise<void> {
  for (const { address, status, code, words } of changed) {
    const data = { address, code, words, message_id: id }
    if (status === 'failed') await record(tx, ticket_id, 'delivery_failed', data, true)
    if (status === 'delayed') await record(tx, ticket_id, 'delivery_delayed', data, true)
  }
  if (operator_id !== null && changed.some(({ status }) => status === 'failed'))
    await alertReader(tx, ticket_id, operator_id)
}
