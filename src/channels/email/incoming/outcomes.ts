import { keysOf } from '../../../core/objects.ts'

/** What became of each received email. */

export const mailStates = ['stored', 'done', 'failed', 'parked', 'duplicate'] as const

/** The outcomes of emails that became messages: the reasons why each is in its ticket. */
export const messageOutcomes = {
  reply_token: "It was sent to a ticket's reply address",
  in_reply_to: 'It answers an email in the ticket',
  references: 'It refers to an email in the ticket',
  thread_index: 'It belongs to the same Outlook conversation as an email in the ticket',
  ticket_number: "Its subject contains the ticket's number",
  subject: "Its subject matches the contact's only open ticket",
  follow_up: 'It answers a ticket that was closed too long ago, so it opened a new one',
  forwarded: "An operator forwarded a customer's email",
  by_hand: 'A person chose its ticket',
  new: 'It is not related to an existing ticket, so it opened a new one',
  new_stranger: 'It refers to a ticket, but its sender is not a participant, so it opened a new one',
  new_unverified: 'It refers to a ticket, but its sender could not be verified, so it opened a new one',
  loop_suspected: 'Its sender opened too many tickets in a short time, so it joined the first of them',
} as const

/** The outcomes of emails that are only logged, because they need no answer. */
export const loggedOutcomes = {
  bounce: 'A report that an email could not be delivered',
  delay: 'A report that the delivery of an email is delayed',
  delivered: 'A confirmation that an email was delivered',
  receipt: 'A confirmation that an email was read',
  complaint: 'A report that a recipient marked an email as spam',
  loop: 'An email that the project itself sent',
  probe: 'A test email that the mailbox sent to itself',
  duplicate: 'Another copy of an email that was handled before',
  contact_blocked: 'Its sender is a blocked contact',
  sender_blocked: 'A sender rule of the project blocks its sender; `reason` is the pattern of the rule',
} as const

/** The outcomes of emails that someone should look at. */
export const attentionOutcomes = {
  backscatter: 'A delivery report about an email that the project did not send',
  no_sender: 'It has no sender address',
  operator_unverified: "It has an operator's address, but could not be verified",
  mailbox_removed: 'Its mailbox was removed before the email was handled',
  unreadable: 'The mail server could not return it',
  error: 'Handling it failed; `last_error` says why',
} as const

export const outcomeWords = { ...messageOutcomes, ...loggedOutcomes, ...attentionOutcomes }
export type MailOutcome = keyof typeof outcomeWords
export const mailOutcomes = keysOf(outcomeWords)

/** The values with their meanings, for the description of a field. */
export const describeValues = (words: Record<string, string>): string =>
  Object.entries(words)
    .map(([value, meaning]) => `\`${value}\`: ${meaning}`)
    .join('. ')
