import { wordTelegramFailure } from './telegram-failures.ts'

/**
 * What the system records in a ticket's conversation: a kind and its values. The dashboard words them in the reader's language;
 * `content`, which programs read, has them in English.
 */

interface OtherTicket {
  ticket_id: string
  short_id: string
}

interface ByOperator {
  by: { id: string | null; name: string }
}

interface Assigned extends ByOperator {
  operator_id: string | null
  operator_name: string | null
}

export interface Recorded {
  ticket_closed: {
    closed_by: { type: string; id: string | null }
    reason?: 'no_answer' | 'merged'
    /** The short_id of the ticket that it was merged into. */
    short_id?: string
  }
  ticket_reopened: object
  ticket_rated: { rating: number; comment: string | null }
  ticket_merged: OtherTicket
  ticket_unmerged: OtherTicket & ByOperator
  ticket_assigned: Assigned
  /** `is_assigned`: the operator was chosen together with the department. */
  ticket_transferred: Assigned & {
    department_id: string | null
    department_name: string | null
    is_assigned: boolean
  }
  /** `previous_operator_name`: null if that operator has been removed. */
  ticket_force_taken: ByOperator & {
    operator_id: string | null
    previous_operator_id: string
    previous_operator_name: string | null
  }
  ticket_split: OtherTicket & ByOperator
  ticket_split_off: OtherTicket & ByOperator
  message_moved: OtherTicket & ByOperator
  message_moved_here: OtherTicket & ByOperator
  /** The limit that the contact reached: new tickets by email in this many minutes. */
  loop_suspected: { tickets: number; minutes: number }
  /** Records why no acknowledgement or away message was sent to this address. */
  automatic_email_held: { address: string; reason: 'automatic_reply' | 'address_limit' | 'domain_limit' }
  /** `subject`: of the email in the message `message_id`. */
  subject_changed: { subject: string; message_id: string }
  /** About one recipient of the message `message_id`. */
  delivery_failed: DeliveryProblem
  delivery_delayed: DeliveryProblem
  /** `address`: null if the report does not name the recipient. */
  spam_complaint: { address: string | null; message_id: string }
  /** `by`: null if the visitor asked for it in the chat. */
  transcript_sent: { address: string; by: ByOperator['by'] | null }
}

/** What a mail server said: an enhanced status code such as 5.1.1, or a reply code such as 550, and its words. */
interface ServerAnswer {
  code: string | null
  words: string | null
}

export interface DeliveryProblem extends ServerAnswer {
  /** The email address, or the name of the chat. */
  address: string
  message_id: string
  /** Email by default. */
  channel?: string
  /** The name that people see, for channels without their own sentence. */
  channel_title?: string
}

/** The code and the words on one line; null if there are none. */
export const printAnswer = ({ code, words }: ServerAnswer): string | null =>
  (code && words?.includes(code) ? words : [code, words].filter(Boolean).join(' ')) || null

const because = (problem: DeliveryProblem): string => {
  const answer = printAnswer(problem)
  return answer ? `: ${answer}` : ''
}

export type SystemKind = keyof Recorded

const closings = {
  no_answer: () => 'Ticket closed because the contact did not reply',
  merged: (shortId = '') => `Merged into #${shortId}`,
}

const heldReasons: Record<Recorded['automatic_email_held']['reason'], (address: string) => string> = {
  automatic_reply: address => `${address} replied automatically. No automatic email was sent back`,
  address_limit: address =>
    `No automatic email was sent to ${address}, because it received 2 in the last 24 hours`,
  domain_limit: address =>
    `No automatic email was sent to ${address}, because its domain received 20 in the last hour`,
}

function wordAssignment({ by, operator_id, operator_name }: Assigned): string {
  if (operator_id === null) return `${by.name} unassigned the ticket`
  return operator_id === by.id
    ? `${by.name} took the ticket`
    : `${by.name} assigned the ticket to ${operator_name}`
}

function wordTransfer({ by, department_name, operator_name, is_assigned }: Recorded['ticket_transferred']) {
  const move =
    department_name === null
      ? 'removed the ticket from its department'
      : `moved the ticket to ${department_name}`
  return `${by.name} ${move}${is_assigned ? ` and assigned it to ${operator_name}` : ''}`
}

export const systemTexts: { [K in SystemKind]: (data: Recorded[K]) => string } = {
  ticket_closed: ({ reason, short_id }) => (reason ? closings[reason](short_id) : 'Ticket closed'),
  ticket_reopened: () => 'Ticket reopened',
  ticket_rated: ({ rating }) => `Rated ${rating} out of 5`,
  ticket_merged: ({ short_id }) => `#${short_id} was merged into this ticket`,
  ticket_unmerged: ({ by, short_id }) => `${by.name} undid the merge with #${short_id}`,
  ticket_assigned: wordAssignment,
  ticket_transferred: wordTransfer,
  ticket_force_taken: ({ by, previous_operator_name }) =>
    `${by.name} took the ticket over from ${previous_operator_name ?? 'a former operator'}`,
  ticket_split: ({ by, short_id }) => `${by.name} moved messages to a new ticket, #${short_id}`,
  ticket_split_off: ({ by, short_id }) => `${by.name} created this ticket from messages of #${short_id}`,
  message_moved: ({ by, short_id }) => `${by.name} moved a message to #${short_id}`,
  message_moved_here: ({ by, short_id }) => `${by.name} moved a message here from #${short_id}`,
  loop_suspected: ({ tickets, minutes }) =>
    `This contact opened ${tickets} tickets by email in ${minutes} minutes. Further emails are added to this ticket`,
  automatic_email_held: ({ address, reason }) => heldReasons[reason](address),
  subject_changed: ({ subject }) => `The contact changed the subject to “${subject}”`,
  delivery_failed: problem =>
    problem.channel_title !== undefined
      ? `The message to ${problem.address} via ${problem.channel_title} could not be delivered: ${problem.words}`
      : problem.channel === 'telegram'
        ? `The Telegram message to ${problem.address} could not be delivered: ${wordTelegramFailure(problem.words ?? '')}`
        : `The email to ${problem.address} could not be delivered${because(problem)}`,
  delivery_delayed: problem =>
    `The email to ${problem.address} is delayed. The mail server keeps trying${because(problem)}`,
  spam_complaint: ({ address }) => `${address ?? 'A recipient'} marked the email as spam`,
  transcript_sent: ({ address, by }) =>
    by === null
      ? `The visitor had a copy of the conversation emailed to ${address}`
      : `${by.name} emailed a copy of the conversation to ${address}`,
}
