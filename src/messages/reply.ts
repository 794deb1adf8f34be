import type { Tx } from '../events/transaction.ts'
import type { MessageDraft } from './queries.ts'

/** Runs in the transaction in which an operator's message becomes visible to its contact. Set by app.ts. */
export type OnReply = (tx: Tx, reply: MessageDraft) => Promise<void>

// The default throws, because otherwise notifications would be lost silently.
let onReply: OnReply = () => {
  throw new Error('setOnReply has not been called; see app.ts')
}

export const setOnReply = (act: OnReply): void => {
  onReply = act
}

export async function callOnReply(tx: Tx, draft: MessageDraft): Promise<void> {
  if (draft.sender_type === 'operator' && !draft.is_internal) await onReply(tx, draft)
}
