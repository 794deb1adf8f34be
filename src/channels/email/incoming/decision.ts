import { parseAddress } from '../../../mail/sender.ts'
import type { Judged } from './judge-mail.ts'

/** What a person, an integration or the command line decided about an email. */
export interface MailDecision {
  /** `reparse`: it is handled again, or read again if it is a message. `ticket`: it becomes a new ticket. `move`: it becomes a message of `ticket_id`. */
  kind: 'reparse' | 'ticket' | 'move'
  ticket_id: string | null
  by: { type: 'operator' | 'api' | 'cli'; id: string | null; name: string | null }
  /** How many attempts there were before. */
  attempts: number
  /** For a message that was read again: the fields that changed. */
  changes?: string[]
}

/** Without From, the envelope's sender is the only address of an email's author. */
const writerOf = ({ writer }: Judged, envelopeFrom: string | null): Judged['writer'] => {
  const contact = writer.contact ?? parseAddress(envelopeFrom ?? '')
  return writer.contact || !contact ? writer : { ...writer, contact, answerTo: [contact] }
}

/** Replaces the choice of a ticket by the decision. The message is always from the sender, never in the name of an operator. */
export function followDecision(
  judged: Judged,
  decision: MailDecision | null,
  envelopeFrom: string | null,
): Judged {
  if (!decision || decision.kind === 'reparse') return judged
  const { ticket_id, by } = decision
  const evidence = { reason: 'made_by_hand' as const, value: by.name ?? by.type }
  const target = ticket_id ? { kind: 'ticket' as const, id: ticket_id } : { kind: 'new' as const }
  const warnings = judged.choice.warnings.filter(warning => warning !== 'subject_changed')
  return {
    ...judged,
    writer: writerOf(judged, envelopeFrom),
    isDecided: true,
    forwarded: null,
    isOperatorReply: false,
    answered: null,
    choice: {
      ...{ target, reason: ticket_id ? 'by_hand' : 'new', evidence, related: null, warnings },
      isInternal: false,
    },
  }
}
