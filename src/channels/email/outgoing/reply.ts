import type { Sql } from '../../../core/db/db.ts'
import { ApiError } from '../../../core/errors.ts'
import { fillPlaceholders } from '../../../core/text/texts.ts'
import { composeTextsOf } from '../../../mail/compose/texts/texts.ts'
import { findSurvivor, getTicketId, hasNoMessenger } from '../../../messages/messages.ts'
import { listChangedParticipants } from '../incoming/participant-queries.ts'
import { mailboxAddresses } from '../incoming/project-facts.ts'
import { makeAddressCheck } from '../mailboxes/recipients.ts'
import { findReplyMailboxes } from '../reply-mailboxes/reply-mailbox-queries.ts'
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

export interface Senders {
  mailboxes: SendingMailbox[]
  /** Null if the project has no mailbox that sends. */
  mailbox: SendingMailbox | null
  /** Whether an address belongs to a mailbox of the project. */
  isOwn(address: string): boolean
}

export interface Reply extends Senders {
  recipients: EmailRecipients
  subject: string
  /** The Message-ID of the email that it answers. */
  inReplyTo: string | null
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

/** The mailboxes that can send a ticket's emails. */
async function listSenders(sql: Sql, projectId: string, ticket: ReplyTicket): Promise<Senders> {
  const mailboxes = await listSendingMailboxes(sql, projectId)
  return {
    mailboxes,
    mailbox: chooseMailbox(mailboxes, ticket),
    isOwn: makeAddressCheck(mailboxes.flatMap(mailboxAddresses)),
  }
}

/** The mailboxes that can send emails about a ticket of any channel; null if the ticket does not exist. */
export async function findSenders(sql: Sql, projectId: string, ticketId: string): Promise<Senders | null> {
  const ticket = await findReplyTicket(sql, projectId, ticketId)
  return ticket && listSenders(sql, projectId, ticket)
}

/** How replies in a ticket of another channel are sent by email. */
export interface ReplyRoute {
  mailbox_id: string | null
  /** The contact's address. */
  address: string | null
}

/** Replies in tickets without a messenger are sent by email if the project has chosen a mailbox for tickets of the API. */
async function findRoute(sql: Sql, projectId: string, ticket: ReplyTicket): Promise<ReplyRoute | null> {
  if (!hasNoMessenger(ticket.channel) || ticket.contact_address === null) return null
  const { api_mailbox_id: mailbox_id } = await findReplyMailboxes(sql, projectId)
  return mailbox_id === null ? null : { mailbox_id, address: ticket.contact_address }
}

/** For example, "Your conversation with Acme". */
const conversationSubject = ({ language, project_name }: ReplyTicket): string =>
  fillPlaceholders(composeTextsOf(language).texts.conversation, { project: project_name })

/** Null if the ticket does not exist, or if its replies are not sent by email. `given` is the route for a ticket of another channel. */
export async function findReply(
  sql: Sql,
  projectId: string,
  ticketId: string,
  given: ReplyRoute | null = null,
): Promise<Reply | null> {
  const ticket = await findReplyTicket(sql, projectId, ticketId)
  if (!ticket) return null
  const isEmail = ticket.channel === 'email'
  const route = isEmail ? null : (given ?? (await findRoute(sql, projectId, ticket)))
  if (!isEmail && !route) return null
  const senders = await listSenders(sql, projectId, ticket)
  const emails = await listReceived(sql, projectId, ticketId)
  const participants = await listChangedParticipants(sql, projectId, ticketId)
  const { isOwn } = senders
  // The reply must reach the contact, even if only others, such as a colleague in Cc, have written by email.
  const answerable = route ? emails.filter(one => one.is_from_contact) : emails
  const answered = chooseAnswered(emails) ?? newestEmail(emails)
  const subject = ticket.subject || (isEmail ? '' : conversationSubject(ticket))
  const contactAddress = route ? route.address : ticket.contact_address
  return {
    ...senders,
    mailbox: senders.mailboxes.find(({ id }) => id === route?.mailbox_id) ?? senders.mailbox,
    recipients: chooseRecipients({ emails: answerable, contactAddress, isOwn, participants }),
    subject: answered ? subjectOfReply(answered.subject || subject) : subject,
    inReplyTo: newestEmail(emails)?.message_id ?? ticket.own_message_id,
  }
}

/** How an email that is not a reply, such as a copy of the conversation, is sent from a ticket. Null if the ticket does not exist. */
export async function findReplyRoute(
  sql: Sql,
  projectId: string,
  ticketId: string,
  mailboxId: string | null,
) {
  const ticket = await findReplyTicket(sql, projectId, ticketId)
  if (!ticket) return null
  const { mailboxes, mailbox, isOwn } = await listSenders(sql, projectId, ticket)
  const { contact_address } = ticket
  return {
    mailbox: mailboxes.find(({ id }) => id === mailboxId) ?? mailbox,
    address: contact_address === null || isOwn(contact_address) ? null : contact_address,
    subject: conversationSubject(ticket),
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
