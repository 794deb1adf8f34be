import type { Sql } from '../../../core/db.ts'
import { ApiError } from '../../../core/errors.ts'
import { findSurvivor, getTicketId } from '../../../messages/messages.ts'
import { listChangedParticipants } from '../incoming/participant-queries.ts'
import { mailboxAddresses } from '../incoming/project-facts.ts'
import { makeAddressCheck } from '../mailboxes/recipients.ts'
import type { ReplyRecipients } from './outgoing-schema.ts'
import {
  chooseAnswered,
  chooseRecipients,
  type EmailRecipients,
  newestEmail,
  subjectOfReply,
} from './recipients.ts'
import {
  findReplyTicket,
  listReceived,
  listSendingMailboxes,
  type ReplyTicket,
  type SendingMailbox,
} from './reply-queries.ts'

/** How the next reply in a ticket is sent by default. */

export interface Reply {
  mailboxes: SendingMailbox[]
  /** Null if the project has no mailbox that sends. */
  mailbox: SendingMailbox | null
  recipients: EmailRecipients
  subject: string
  /** The Message-ID of the email that it answers. */
  inReplyTo: string | null
  /** Whether an address belongs to a mailbox of the project. */
  isOwn(address: string): boolean
}

/** The mailbox that the ticket's emails were sent to. If it was removed: one that sends, of the ticket's department if possible. */
function chooseMailbox(
  mailboxes: SendingMailbox[],
  { newest_mailbox_id, first_mailbox_id, department_id }: ReplyTicket,
): SendingMailbox | null {
  const senders = mailboxes.filter(({ state, sending }) => state === 'active' && sending !== 'none')
  return (
    mailboxes.find(({ id }) => id === newest_mailbox_id) ??
    mailboxes.find(({ id }) => id === first_mailbox_id) ??
    senders.find(mailbox => department_id !== null && mailbox.department_id === department_id) ??
    senders[0] ??
    null
  )
}

/** Null if the ticket does not exist, or is not in the channel `email`. */
export async function findReply(sql: Sql, projectId: string, ticketId: string): Promise<Reply | null> {
  const ticket = await findReplyTicket(sql, projectId, ticketId)
  if (ticket?.channel !== 'email') return null
  const mailboxes = await listSendingMailboxes(sql, projectId)
  const emails = await listReceived(sql, projectId, ticketId)
  const participants = await listChangedParticipants(sql, projectId, ticketId)
  const isOwn = makeAddressCheck(mailboxes.flatMap(mailboxAddresses))
  const answered = chooseAnswered(emails) ?? newestEmail(emails)
  const subject = ticket.subject ?? ''
  return {
    mailboxes,
    mailbox: chooseMailbox(mailboxes, ticket),
    recipients: chooseRecipients({ emails, contactAddress: ticket.contact_address, isOwn, participants }),
    subject: answered ? subjectOfReply(answered.subject || subject) : subject,
    inReplyTo: newestEmail(emails)?.message_id ?? ticket.own_message_id,
    isOwn,
  }
}

/** The defaults for the next reply. A merged ticket continues in the one that it was merged into. */
export async function readReplyRecipients(
  sql: Sql,
  projectId: string,
  reference: string,
): Promise<ReplyRecipients> {
  const id = await findSurvivor(sql, projectId, await getTicketId(sql, projectId, reference))
  if (!id) throw new ApiError('TICKET_NOT_FOUND')
  const reply = await findReply(sql, projectId, id)
  if (!reply) return { mailbox_id: null, to: [], cc: [], bcc: [], subject: '' }
  return { mailbox_id: reply.mailbox?.id ?? null, ...reply.recipients, subject: reply.subject }
}
