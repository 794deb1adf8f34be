import type { Caller } from '../core/endpoint.ts'
import type { Tx } from '../events/transaction.ts'
import { addMessage, systemDraft } from '../messages/messages.ts'
import { type Recorded, type SystemKind, systemTexts } from './system-texts.ts'

/** Adds a system message about an event to the ticket's conversation. */
export async function record<K extends SystemKind>(
  tx: Tx,
  ticketId: string,
  kind: K,
  data: Recorded[K],
  isInternal = false,
): Promise<string> {
  const draft = systemDraft(ticketId, kind, systemTexts[kind](data), { ...data })
  await addMessage(tx, { ...draft, is_internal: isInternal })
  return draft.id
}

/** Records what an operator did, in a note that contacts do not see. What integrations do is only in the event log. */
export async function recordAction<K extends SystemKind>(
  tx: Tx,
  { actor }: Caller,
  ticketId: string,
  kind: K,
  data: Omit<Recorded[K], 'by'>,
): Promise<void> {
  if (actor.type !== 'operator') return
  const by = { id: actor.id, name: actor.name }
  await record(tx, ticketId, kind, { ...data, by } as unknown as Recorded[K], true)
}
