import type { Mail, MailHeaders } from './mail.ts'
import { listTicketNumbers, readSubject } from './subject.ts'

/** What in a mail points to a ticket. */

export type EvidenceReason =
  | 'reply_token'
  | 'in_reply_to'
  | 'references'
  | 'thread_index'
  | 'ticket_number'
  | 'subject'

export interface Evidence {
  reason: EvidenceReason
  /**
   * Of `reply_token` the ID of the ticket, of `in_reply_to` and `references` an ID without angle brackets, of `thread_index` its
   * first 22 bytes in hex, of `ticket_number` the number, of `subject` the subject without prefixes in lower case.
   */
  value: string
}

const threadIndexBytes = 22

export interface Recipients {
  /** Recipients of SMTP or LMTP, if the mail came so. */
  envelope: string[]
  /** The ID of the ticket in a reply address; null if it has no valid token. */
  readToken(address: string): string | null
}

const unique = (list: string[]): string[] => [...new Set(list)]

function listTokens({ deliveredTo, to, cc }: MailHeaders, { envelope, readToken }: Recipients): string[] {
  const addresses = [
    ...envelope,
    ...deliveredTo,
    ...to.map(one => one.address),
    ...cc.map(one => one.address),
  ]
  return unique(addresses.map(readToken).filter(ticket => ticket !== null))
}

/** The evidence of a mail in the order in which it counts. Who may use it, and whether such a ticket exists, is decided later. */
export function listEvidence({ headers }: Mail, recipients: Recipients): Evidence[] {
  const { inReplyTo, references, threadIndex, subject } = headers
  const as = (reason: EvidenceReason) => (value: string) => ({ reason, value })
  const { base, isAnswer } = readSubject(subject)
  const root = threadIndex?.slice(0, threadIndexBytes * 2) ?? ''
  return [
    ...listTokens(headers, recipients).map(as('reply_token')),
    ...unique(inReplyTo).map(as('in_reply_to')),
    ...unique(references.toReversed())
      .filter(id => !inReplyTo.includes(id))
      .map(as('references')),
    ...(root.length === threadIndexBytes * 2 ? [root] : []).map(as('thread_index')),
    ...listTicketNumbers(subject).map(as('ticket_number')),
    ...(isAnswer && base !== '' ? [base] : []).map(as('subject')),
  ]
}
