import Type, { type Static } from 'typebox'
import { id, list, nullable, oneOf, paging, text, time, timeInput } from '../../../core/schema.ts'
import { describeValues, mailOutcomes, mailStates, outcomeWords } from '../incoming/outcomes.ts'

/** Shapes of the log of received emails. */

const describedId = (description: string) => nullable(Type.String({ ...id, description }))
const describedTime = (description: string) => Type.String({ ...time, description })
const describedText = (description: string, examples: string[]) =>
  nullable(Type.String({ description, examples }))

export const loggedMail = Type.Object({
  id,
  mailbox_id: describedId('The mailbox that received it; null if the mailbox has been removed'),
  source: oneOf(['imap', 'import', 'smtp', 'lmtp'] as const, {
    description:
      'How it arrived. `imap`: fetched from a server. `import`: fetched, but older than the connection of the mailbox. `smtp` and `lmtp`: received on MAIL_LISTEN',
  }),
  state: oneOf(mailStates, {
    description:
      '`stored`: waiting to be handled. `done`: handled. `failed`: it could not be handled. `parked`: someone should decide what happens to it. `duplicate`: another copy was handled before',
  }),
  outcome: describedText(
    `What happened to it; null while it waits. More values may be added. ${describeValues(outcomeWords)}`,
    ['unreadable'],
  ),
  reason: describedText(
    'What decided the outcome: the header of an automatic email, the kind of the email (`person`), or the rule that blocks its sender. The error if it could not be handled',
    ['Auto-Submitted: auto-replied'],
  ),
  sender: describedText('The address in From; null if it has not been read yet', ['ann@example.com']),
  subject: describedText('The subject; null if the email has not been read yet', ['Where is my order?']),
  size: Type.Integer({ description: 'Bytes' }),
  is_partial: Type.Boolean({ description: 'Whether only its headers are stored because it was too large' }),
  attempts: Type.Integer({ description: 'How often Deskbell has tried to handle it' }),
  ticket_id: describedId(
    'The current ticket of the message that it became, or on which it reports; null if there is none',
  ),
  message_id: describedId('The message that it became'),
  reported_message_id: describedId(
    'For a delivery report, a receipt or a complaint: the message on which it reports',
  ),
  received_at: describedTime('When the mail server received it'),
  created_at: describedTime('When Deskbell stored it'),
})
export type LoggedMail = Static<typeof loggedMail>
export const mailLog = list(loggedMail)

const envelope = Type.Object({
  from: describedText("The sender in the envelope (MAIL FROM), '' for delivery reports", [
    'bounces@example.com',
  ]),
  to: Type.Array(Type.String({ examples: ['support@example.com'] }), {
    description: 'The recipients in the envelope (RCPT TO)',
  }),
  client_ip: describedText('The address of the client that delivered it', ['203.0.113.7']),
  client_name: describedText('The host name that the client gave (HELO)', ['mail.example.com']),
  is_secure: nullable(Type.Boolean({ description: 'Whether the connection was encrypted' })),
})

export const loggedMailDetails = Type.Object({
  ...loggedMail.properties,
  header_id: describedText('The Message-ID in its headers, without angle brackets', ['abc@example.com']),
  folder: describedText('The folder from which it was fetched', ['INBOX']),
  envelope,
  evidence: describedText('For a message: the evidence for its ticket, like `email.thread_evidence`', [
    'in_reply_to: abc@example.com',
  ]),
  last_error: describedText('Why the last attempt to handle it failed, in English', [
    'The stored email is missing',
  ]),
  next_attempt_at: nullable(describedTime('When it is handled next; null unless its state is `stored`')),
  duplicate_of_id: describedId('For a duplicate: the entry of the copy that was handled'),
  changes: nullable(
    Type.Array(Type.String({ examples: ['content'] }), {
      description:
        'For a message whose email was read again: the fields that changed, such as `content`, `media`, or `email.from_name`; empty if nothing changed. Null if it was not read again',
    }),
  ),
  has_raw: Type.Boolean({ description: 'Whether the original email is still stored' }),
})
export type LoggedMailDetails = Static<typeof loggedMailDetails>

export const outcomeFilter = oneOf(mailOutcomes)

export const mailMove = Type.Object({
  ticket_id: Type.String({ description: "The ticket's `id`, or its `short_id`", examples: ['1042'] }),
})

export const mailLogQuery = Type.Object({
  ...paging,
  mailbox_id: Type.Optional(Type.String({ description: 'Emails that this mailbox received' })),
  state: Type.Optional(Type.Array(oneOf(mailStates))),
  outcome: Type.Optional(Type.Array(outcomeFilter, { description: 'Emails with one of these outcomes' })),
  ticket_id: Type.Optional(
    Type.String({
      description:
        'Emails whose messages are in this ticket, and reports on messages in it: its `id`, or its `short_id`',
    }),
  ),
  q: Type.Optional(
    text(320, {
      minLength: 2,
      description:
        'The beginning of the sender address or of the subject, or a whole Message-ID. Case is ignored, except in a Message-ID',
      examples: ['ann@example.com'],
    }),
  ),
  created_after: Type.Optional(timeInput),
  created_before: Type.Optional(timeInput),
})
export type MailLogQuery = Static<typeof mailLogQuery>
