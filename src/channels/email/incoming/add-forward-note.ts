import { shortenText } from '../../../core/text/shorten-text.ts'
import type { Tx } from '../../../events/transaction.ts'
import { addMessage, draftMessage } from '../../../messages/messages.ts'
import { maxContent } from './mail-content.ts'
import type { MailToPost } from './post-mail.ts'

/** Adds an operator's comment above a forwarded email as an internal note. */
export async function addForwardNote(
  tx: Tx,
  { judged: { operator, isVerified, forwarded } }: MailToPost,
  ticketId: string,
): Promise<void> {
  if (!operator || !forwarded?.note) return
  const { id, name, email, avatar_url } = operator
  // Anyone can put an operator's address into From, so only a verified sender is shown as the operator.
  const author = isVerified
    ? { sender_type: 'operator' as const, sender_id: id, sender_name: name, sender_avatar_url: avatar_url }
    : { sender_type: 'bot' as const, sender_id: tx.projectId, sender_name: email }
  const draft = draftMessage({
    ticket_id: ticketId,
    ...author,
    content: shortenText(forwarded.note, maxContent).kept,
    is_internal: true,
  })
  await addMessage(tx, draft)
}
