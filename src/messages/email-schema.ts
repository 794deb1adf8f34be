import Type, { type Static } from 'typebox'
import { id, nullable, oneOf, time } from '../core/schema.ts'

/** The `email` field of messages that arrived or leave by email. */

const text = (options: { description: string; examples?: string[] }) => Type.String(options)

const maybeText = (options: { description: string; examples?: string[] }) => nullable(Type.String(options))

const addresses = (options: { description: string; examples?: string[] }) =>
  Type.Array(Type.String({ examples: ['ann@example.com'] }), options)

const verdict = (options: { description: string; examples?: string[] }) =>
  oneOf(['pass', 'fail', 'none', 'temperror'] as const, options)

const authentication = Type.Object(
  {
    dmarc: verdict({ description: 'Whether the address in `from` is confirmed' }),
    spf: verdict({
      description: 'Whether the sending server may send for the domain of the envelope sender',
    }),
    dkim: verdict({ description: 'Whether the email has a valid signature' }),
    arc: Type.Optional(
      verdict({ description: 'Whether the results of the servers that forwarded the email are signed' }),
    ),
  },
  {
    description:
      "What Deskbell, for email by SMTP, or the receiving mail server found out about the sender. `none` if it checked nothing, or if the server's results are not trusted; `temperror` if DNS did not answer",
  },
)

const recipient = Type.Object({
  address: Type.String({ description: 'In lower case', examples: ['ann@example.com'] }),
  name: maybeText({ description: 'The name of the recipient', examples: ['Ann Lee'] }),
  kind: oneOf(['to', 'cc', 'bcc'] as const),
  status: oneOf(['pending', 'sent', 'delayed', 'delivered', 'read', 'failed'] as const, {
    description:
      '`sent`: a mail server accepted it. `delivered` and `read`: a report of the recipient says so',
  }),
  code: maybeText({ description: "The server's code", examples: ['5.1.1'] }),
  words: maybeText({ description: "The server's answer", examples: ['No such user'] }),
  updated_at: time,
})

const forwardedMessage = Type.Object(
  {
    message_id: Type.String({ ...id, description: 'The message that was forwarded' }),
    media_ids: Type.Array(id, { description: 'The files of that message that were attached' }),
  },
  { description: 'Only in internal notes that forward a message to a third party' },
)

export const messageEmail = Type.Object(
  {
    message_id: maybeText({
      description: 'The Message-ID with angle brackets; null if there is none',
      examples: ['<a1@example.com>'],
    }),
    in_reply_to: maybeText({
      description: 'The Message-ID of the email that it answers',
      examples: ['<a0@example.com>'],
    }),
    from: maybeText({ description: 'The sender, as the email gives it', examples: ['ann@example.com'] }),
    from_name: maybeText({ description: "The sender's name, as the email gives it", examples: ['Ann Lee'] }),
    to: addresses({ description: 'The recipients in To' }),
    cc: addresses({ description: 'The recipients in Cc' }),
    bcc: addresses({
      description: 'The recipients that the others do not see; always empty for received emails',
    }),
    recipients: Type.Array(recipient, {
      description: 'The delivery status of a sent email for each recipient; empty for received emails',
    }),
    reply_to: addresses({ description: 'Where replies go' }),
    subject: text({
      description: "The email's subject, which may differ from the ticket's",
      examples: ['My order'],
    }),
    date: maybeText({
      description: 'When it was sent, according to its sender',
      examples: ['2026-01-15T10:30:00.000000'],
    }),
    mailbox_id: nullable(Type.String({ ...id, description: 'The mailbox that received or sends it' })),
    thread_reason: text({
      description:
        'Why the message is in this ticket; `sent` if it was written here. More values may be added',
      examples: ['in_reply_to'],
    }),
    thread_evidence: maybeText({
      description:
        'The reason and the value that decided, or that were not enough for another ticket; null if there was nothing',
      examples: ['in_reply_to: a1@example.com'],
    }),
    related_ticket_id: nullable(
      Type.String({ ...id, description: 'The ticket that the email refers to, if it opened another one' }),
    ),
    warnings: Type.Array(Type.String({ examples: ['unverified'] }), {
      description:
        '`unverified`: DMARC failed. `operator_unverified`: the operator in From is not verified. `subject_changed`: the subject differs from that of the ticket. More values may be added',
    }),
    class: text({
      description:
        '`person`, `auto_reply` or `automated`; more values may be added. Acknowledgements and away messages that Deskbell sent have `auto_reply`',
      examples: ['person'],
    }),
    authentication,
    spam: Type.Boolean({ description: 'Whether your mail server marked it as spam' }),
    signature: maybeText({
      description: 'The kind of signature, which is not checked: `smime` or `pgp`',
      examples: ['smime'],
    }),
    encrypted: maybeText({
      description: '`smime` or `pgp` if the text is encrypted; Deskbell cannot decrypt it',
      examples: ['pgp'],
    }),
    invitation: maybeText({
      description: 'A summary of the calendar event that it contains',
      examples: ['Invitation: Kick-off, 2026-03-04 10:00 UTC, Room 5'],
    }),
    truncated: Type.Array(Type.String({ examples: ['content'] }), {
      description:
        'What is missing because of a limit or because it could not be parsed, such as `content` (the rest is in the file `message.txt`) or `files`',
    }),
    inline_media_ids: Type.Array(id, { description: 'The files in `media` that `content_html` displays' }),
    has_quote: Type.Boolean({
      description: 'Whether it quotes earlier messages, which `GET /messages/{message_id}/email` returns',
    }),
    has_raw: Type.Boolean({
      description: 'Whether the original was stored. Old originals are deleted',
    }),
    forwarded: Type.Optional(forwardedMessage),
  },
  { title: 'MessageEmail' },
)
export type MessageEmail = Static<typeof messageEmail>

/** As it is stored with the message. Its recipients are rows of their own. */
export type StoredEmail = Omit<MessageEmail, 'recipients'>
