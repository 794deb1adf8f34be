import { text } from '../core/text.ts'
import { mayDo, type Role } from '../projects/project.ts'
import { askToBlock } from '../senders/blocking.ts'
import type { Ticket } from '../tickets/queries.ts'
import { patch } from './change.ts'

/** Marks the ticket as spam, and offers admins to block its sender. */
export function markAsSpam(ticket: Ticket, role: Role): Promise<boolean> {
  const { channel, contact } = ticket
  const address = channel === 'email' && mayDo(role, 'admin') ? contact.email : null
  const block = address === null ? undefined : { label: text.email.block, run: () => askToBlock(address) }
  return patch(ticket, { is_spam: true }, { is_spam: true }, block)
}
