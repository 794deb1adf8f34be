import type { Vault } from '../../../core/crypto.ts'
import { bytes, type Endpoint, endpoint } from '../../../core/endpoint.ts'
import type { Storages } from '../../../media/media.ts'
import { message } from '../../../messages/schema.ts'
import { emailDetails, participants, participantsInput } from '../incoming/email-schema.ts'
import { changeParticipants, readParticipants } from '../incoming/participants.ts'
import { forwardMessage } from '../outgoing/forward.ts'
import { newForward, replyRecipients } from '../outgoing/outgoing-schema.ts'
import { readReplyRecipients } from '../outgoing/reply.ts'
import { readEmailDetails, sendOriginal } from './email-details.ts'

/** The emails of messages and the participants of tickets, for integrations and in the dashboard. */

const tag = 'E-mail'

const participation: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/tickets/{ticket_id}/participants',
    tag,
    summary: "List a ticket's participants",
    description:
      'Replies from these addresses join the ticket. Mailboxes of the project are not listed, and neither are operators, who may write in every ticket.',
    responses: { 200: participants },
    errors: ['TICKET_NOT_FOUND'],
    run: ({ db, project, params }) => readParticipants(db, project.id, params.ticket_id!),
  }),
  endpoint({
    method: 'PUT',
    path: '/tickets/{ticket_id}/participants',
    tag,
    summary: "Change a ticket's participants",
    description:
      'Send everyone who should be a participant. All others become `removed`, so their replies open tickets of their own. The contact always remains.',
    body: participantsInput,
    responses: { 200: participants },
    errors: ['TICKET_NOT_FOUND', 'VALIDATION_ERROR'],
    run: call => changeParticipants(call.db, call, call.params.ticket_id!, call.body),
  }),
  endpoint({
    method: 'GET',
    path: '/tickets/{ticket_id}/reply-recipients',
    tag,
    summary: "Read the recipients of a ticket's next reply",
    description:
      'What a reply without `email` would have: the mailbox, the recipients and the subject. Empty for tickets of other channels, whose replies are not sent by email.',
    responses: { 200: replyRecipients },
    errors: ['TICKET_NOT_FOUND'],
    run: ({ db, project, params }) => readReplyRecipients(db, project.id, params.ticket_id!),
  }),
]

const forwarding = (deps: { vault: Vault }) =>
  endpoint({
    method: 'POST',
    path: '/messages/{message_id}/forward',
    tag,
    summary: 'Forward a message to a third party',
    description:
      'Sends the message with its files by email. The ticket can be from any channel. The response is the internal note that contains the ' +
      'text above the forwarded message and shows the delivery. Replies to the forward also become internal notes: the contact sees none ' +
      'of this conversation, and the people in it do not become participants of the ticket.',
    body: newForward,
    responses: { 201: message },
    errors: ['MESSAGE_NOT_FOUND', 'VALIDATION_ERROR'],
    isIdempotent: true,
    examples: { body: { content: 'Can you repair it?', email: { to: ['tom@parts.example'] } } },
    run: call => forwardMessage(deps, call.db, call, call.params.message_id!, call.body),
  })

export const emailMessageEndpoints = ({
  storages,
  vault,
}: {
  storages: Storages
  vault: Vault
}): Endpoint[] => [
  forwarding({ vault }),
  endpoint({
    method: 'GET',
    path: '/messages/{message_id}/email',
    tag,
    summary: 'Read the email of a message',
    description:
      "The message's `email` field, with all headers and the quoted text. 404 if the message did not arrive by email.",
    responses: { 200: emailDetails },
    errors: ['MESSAGE_NOT_FOUND'],
    run: call => readEmailDetails(call),
  }),
  endpoint({
    method: 'GET',
    path: '/messages/{message_id}/raw',
    tag,
    summary: 'Download the original of an email',
    description:
      'The email as it arrived or was sent, as `message/rfc822`. If it is in a bucket of the project, the response is a 302 to a URL that works for five minutes.',
    responses: { 200: bytes, 206: bytes, 302: null, 304: null },
    errors: ['MESSAGE_NOT_FOUND', 'file_not_found', 'range_unsatisfiable', 'storage_unavailable'],
    run: call => sendOriginal(call, storages),
  }),
  ...participation,
]
