import type { Mail, MailHeaders } from './mail.ts'
import { listTicketNumbers, readSubject } from './subject.ts'

/** Finds the evidence in an email that connects it with a ticket. */

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
   * `reply_token`: the ticket ID. `in_reply_to` and `references`: a Message-ID without angle brackets. `thread_index`: its first
   * 22 bytes in hex. `ticket_number`: the number. `subject`: the subject without prefixes, in lower case.
   */
  value: string
}

const threadIndexBytes = 22

export interface Recipients {
  /** The envelope recipients, if the email arrived by SMTP or LMTP. */
  envelope: string[]
  /** The ticket ID in a reply address; null if it has no valid token. */
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

/** The evidence in an email, by priority. The caller decides whether the ticket exists and the sender may use the evidence. */
export function listEvidence({ headers }: Mail, recipients: Recipients): Evidence[] {
  const { inReplyTo, references, threadIndex, subject } = headers
  const as = (reason: EvidenceReason) => (value: string) => ({ reason, value })
  const { base, isReply } = readSubject(subject)
  const root = threadIndex?.slice(0, threadIndexBytes * 2) ?? ''
  return [
    ...listTokens(headers, recipients).map(as('reply_token')),
    ...unique(inReplyTo).map(as('in_reply_to')),
    ...unique(references.toReversed())
      .filter(id => !inReplyTo.includes(id))
      .map(as('references')),
    ...(root.length === threadIndexBytes * 2 ? [root] : []).map(as('thread_index')),
    ...listTicketNumbers(subject).map(as('ticket_number')),
    ...(isReply && base !== '' ? [base] : []).map(as('subject')),
  ]
}
