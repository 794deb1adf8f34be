import { domainOf } from '../../../core/email.ts'
import { fillText } from '../../../core/text/placeholders.ts'
import { currentTime } from '../../../core/time.ts'
import { isOpenAt } from '../../../core/weekly-hours.ts'
import type { Tx } from '../../../events/transaction.ts'
import { addMessage, draftMessage } from '../../../messages/messages.ts'
import { record } from '../../../tickets/tickets.ts'
import type { MailboxRow } from '../mailboxes/mailbox.ts'
import { listAddressVariants } from '../mailboxes/recipients.ts'
import { type AutomaticFacts, countAutomatic, hasHeldNote, insertAutomatic } from './automatic-queries.ts'
import { type AutomaticKind, chooseText } from './choose-text.ts'

/** Sends acknowledgements and away messages, within limits that stop mail loops. */

const maxPerAddress = 2
const maxPerDomain = 20

export interface AutomaticEmail {
  ticketId: string
  mailbox: MailboxRow
  facts: AutomaticFacts
  /** The recipient. */
  address: string
  /** The Content-Language of the email that opened the ticket. */
  language: string | null
}

/** Null if the mailbox sends no automatic email now. */
function kindNow(
  { sends_acknowledgement, sends_away }: MailboxRow,
  { hours }: AutomaticFacts,
): AutomaticKind | null {
  if (sends_away && hours && !isOpenAt(hours, currentTime())) return 'away'
  return sends_acknowledgement ? 'acknowledgement' : null
}

const values: Record<string, (facts: AutomaticFacts) => string | null> = {
  'ticket.short_id': facts => facts.short_id,
  'ticket.subject': facts => facts.subject,
  'contact.full_name': facts => facts.contact_name,
}

function contentOf({ mailbox, facts, language }: AutomaticEmail, kind: AutomaticKind): string {
  const { contact_language, project_language } = facts
  const text = chooseText(mailbox.texts, kind, [contact_language, language, project_language])
  return fillText(text, name => values[name]?.(facts)).content
}

type HeldReason = 'automatic_reply' | 'address_limit' | 'domain_limit'

/** Adds a note that no automatic email was sent, at most once per ticket. */
async function noteHeld(tx: Tx, ticketId: string, address: string, reason: HeldReason): Promise<void> {
  if (await hasHeldNote(tx, tx.projectId, ticketId)) return
  await record(tx, ticketId, 'automatic_email_held', { address, reason }, true)
}

/** Counts the email and returns null if the limits allow it. Otherwise returns the limit that was reached. */
async function takeAllowance(tx: Tx, ticketId: string, address: string): Promise<HeldReason | null> {
  const domain = domainOf(address)
  const counts = await countAutomatic(tx, tx.projectId, { address, domain })
  if (counts.to_address >= maxPerAddress) return 'address_limit'
  if (counts.to_domain >= maxPerDomain) return 'domain_limit'
  await insertAutomatic(tx, tx.projectId, { ticketId, address, domain })
  return null
}

/** Sends the automatic email for a new ticket, if there is one. It becomes a message of the ticket that does not count as a reply. */
export async function sendAutomatic(tx: Tx, email: AutomaticEmail): Promise<void> {
  const { ticketId, mailbox, facts } = email
  const kind = kindNow(mailbox, facts)
  if (!kind) return
  // All plus addresses of an address belong to the same person.
  const held = await takeAllowance(tx, ticketId, listAddressVariants(email.address)[0]!)
  if (held) return noteHeld(tx, ticketId, email.address, held)
  const draft = draftMessage({
    ticket_id: ticketId,
    sender_type: 'bot',
    sender_id: tx.projectId,
    sender_name: mailbox.name || facts.project_name,
    content: contentOf(email, kind),
  })
  await addMessage(tx, draft, {
    email: { to: [email.address], cc: [], bcc: [], mailbox_id: mailbox.id },
    is_automatic: true,
  })
}

/** Adds a note that an automatic reply arrived, and that no automatic email was sent back. */
export const noteAutomaticReply = (tx: Tx, ticketId: string, address: string): Promise<void> =>
  noteHeld(tx, ticketId, address, 'automatic_reply')
