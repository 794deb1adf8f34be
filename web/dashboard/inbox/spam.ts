import { mayDo, type Role } from '../projects/project.ts'
import { offerBlock } from '../senders/offer-block.tsx'
import type { Ticket } from '../tickets/queries.ts'
import { patch } from './change.ts'

/** Marks the ticket as spam, and offers admins to block its sender. */
export async function markAsSpam(ticket: Ticket, role: Role): Promise<void> {
  const isMarked = await patch(ticket, { is_spam: true })
  const { channel, contact } = ticket
  if (isMarked && channel === 'email' && contact.email && mayDo(role, 'admin')) offerBlock(contact.email)
}
