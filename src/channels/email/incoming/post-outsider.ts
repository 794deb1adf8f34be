import type { Tx } from '../../../events/transaction.ts'
import { draftMessage } from '../../../messages/messages.ts'
import { postEmailNote } from '../../../tickets/tickets.ts'
import { messageFieldsOf } from './mail-fields.ts'
import type { MailToPost, PostedMail } from './post-mail.ts'

/**
 * Adds a third party's reply to a forwarded message as an internal note. The contact never sees it, and its sender becomes neither a
 * contact nor a participant.
 */
export async function postOutsider(tx: Tx, post: MailToPost, ticketId: string): Promise<PostedMail> {
  const { judged, content, media } = post
  const { reason } = judged.choice
  const { name, address } = judged.writer.contact!
  const draft = draftMessage({
    ...{ ticket_id: ticketId, content: content.content, is_internal: true },
    ...{ sender_type: 'bot', sender_id: tx.projectId, sender_name: name ?? address },
    ...messageFieldsOf(post, reason),
  })
  const mediaIds = media.map(({ id }) => id)
  return { reason, ticketId, messageId: await postEmailNote(tx, draft, mediaIds) }
}
