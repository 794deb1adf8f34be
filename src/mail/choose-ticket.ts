import type { MailVerdict } from './authentication.ts'
import type { Evidence, EvidenceReason } from './evidence.ts'

/** Decides which ticket an email belongs to. */

/** A ticket that evidence points to. A merged ticket is replaced by its merge target. */
export interface CandidateTicket {
  id: string
  isClosed: boolean
  /** Days since it was closed; 0 if open. */
  closedDays: number
  /** Days since its last message. */
  quietDays: number
  /** The subject without prefixes, as `readSubject` gives it. */
  baseSubject: string
  /**
   * The sender's relation to this ticket. A participant was in From, To or Cc of one of its emails, or was added. An outsider is a third
   * party who answers a forwarded message.
   */
  sender: 'contact' | 'participant' | 'operator' | 'outsider' | 'stranger'
  /** Whether it is the only open ticket of its contact in this mailbox. */
  isOnlyOpen: boolean
}

/** A piece of evidence and its ticket. Matches are in the order of `listEvidence`. */
export interface Match extends Evidence {
  ticket: CandidateTicket
  /** Whether it leads to an internal note: a forward to a third party, or a reply to one. */
  isInternal: boolean
}

export interface IncomingFacts {
  /** The subject without prefixes, as `readSubject` gives it. */
  baseSubject: string
  /** The DMARC result from our mail server. */
  authentication: MailVerdict
}

export interface ThreadingSettings {
  /** Days after closing in which a reply reopens the ticket. */
  reopenDays: number
  /** Days after the last message in which the subject alone is enough. */
  subjectDays: number
}

export type ThreadReason =
  | EvidenceReason
  | 'by_hand'
  | 'loop_suspected'
  | 'new'
  | 'new_stranger'
  | 'new_unverified'
  | 'follow_up'

/**
 * `unverified`: DMARC failed. `operator_unverified`: the operator's identity is not verified, so the message is held.
 * `subject_changed`: the subject differs from the ticket's.
 */
export type ThreadWarning = 'unverified' | 'operator_unverified' | 'subject_changed'

export interface Choice {
  target: { kind: 'ticket'; id: string } | { kind: 'follow_up'; of: string } | { kind: 'new' }
  reason: ThreadReason
  /** The accepted evidence; null if the ticket is new. */
  evidence: { reason: EvidenceReason | 'made_by_hand'; value: string } | null
  /** A ticket that the new one is related to. Only operators see it. */
  related: string | null
  warnings: ThreadWarning[]
  /** Whether the email becomes an internal note, because it belongs to a conversation with a third party. */
  isInternal: boolean
}

/** Evidence that others can see or guess. It is rejected if DMARC fails. */
const isWeak = (reason: EvidenceReason): boolean => reason === 'ticket_number' || reason === 'subject'

type Refusal = 'new_stranger' | 'new_unverified' | 'no_match'

/** The reason to reject the evidence; null if it is accepted. */
function refuseMatch(
  { reason, ticket }: Match,
  facts: IncomingFacts,
  settings: ThreadingSettings,
): Refusal | null {
  if (reason === 'subject') {
    const fits = ticket.sender === 'contact' && !ticket.isClosed && ticket.isOnlyOpen
    if (!fits || ticket.quietDays > settings.subjectDays) return 'no_match'
  }
  if (ticket.sender === 'stranger') return 'new_stranger'
  return isWeak(reason) && facts.authentication === 'fail' ? 'new_unverified' : null
}

function listWarnings({ ticket, isInternal }: Match, facts: IncomingFacts): ThreadWarning[] {
  const isChanged = !isInternal && facts.baseSubject !== '' && facts.baseSubject !== ticket.baseSubject
  const isHeld = ticket.sender === 'operator' && facts.authentication !== 'pass'
  return [
    ...(facts.authentication === 'fail' ? (['unverified'] as const) : []),
    ...(isHeld ? (['operator_unverified'] as const) : []),
    ...(isChanged ? (['subject_changed'] as const) : []),
  ]
}

function follow(match: Match, facts: IncomingFacts, settings: ThreadingSettings): Choice {
  const { ticket, reason, value } = match
  const warnings = listWarnings(match, facts)
  const isInternal = match.isInternal && ticket.sender !== 'contact'
  const chosen = { evidence: { reason, value }, related: null, warnings, isInternal }
  if (isInternal || !ticket.isClosed || ticket.closedDays <= settings.reopenDays)
    return { ...chosen, target: { kind: 'ticket', id: ticket.id }, reason }
  if (!warnings.includes('subject_changed'))
    return { ...chosen, target: { kind: 'follow_up', of: ticket.id }, reason: 'follow_up' }
  const others = warnings.filter(warning => warning !== 'subject_changed')
  return {
    ...{ target: { kind: 'new' }, reason: 'new', evidence: null, related: ticket.id },
    ...{ warnings: others, isInternal: false },
  }
}

/**
 * The ticket of the first accepted match. If evidence points to a ticket but is rejected, the email opens a new ticket that is
 * related to it.
 */
export function chooseTicket(matches: Match[], facts: IncomingFacts, settings: ThreadingSettings): Choice {
  const judged = matches.map(match => ({ match, refusal: refuseMatch(match, facts, settings) }))
  const held = judged.find(({ refusal }) => refusal === null)
  if (held) return follow(held.match, facts, settings)
  const refused = judged.find(({ refusal }) => refusal !== 'no_match')
  return {
    target: { kind: 'new' },
    reason: refused && refused.refusal !== 'no_match' ? refused.refusal! : 'new',
    evidence: refused ? { reason: refused.match.reason, value: refused.match.value } : null,
    related: refused?.match.ticket.id ?? null,
    warnings: facts.authentication === 'fail' ? ['unverified'] : [],
    isInternal: false,
  }
}
