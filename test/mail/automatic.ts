import type { NewMailbox } from '../../src/channels/email/mailboxes/mailbox.ts'
import { newId } from '../../src/core/ids.ts'
import type { Member } from '../cast.ts'
import { deliverByLmtp } from '../dovecot.ts'
import { until } from '../until.ts'
import { openMailbox, type Receiving, receive } from './receiving.ts'
import { sendThrough } from './sending.ts'
import { type WrittenMail, writeMail } from './write-mail.ts'

/** Mailboxes that send automatic emails, and emails to them. */

/** Creates a mailbox that acknowledges new tickets and sends through this SMTP server. */
export async function openAnswering(
  { server }: Pick<Receiving, 'server'>,
  smtp: { port: number },
  fields: Partial<NewMailbox> = {},
  member: Pick<Member, 'id'> = server.acme,
) {
  const address = `support${newId()}@desk.example.com`
  const settings = { name: 'Acme Support', sends_acknowledgement: true, ...fields }
  const { id } = await openMailbox({ server }, address, settings, member)
  await sendThrough(server, id, smtp)
  return { id, address }
}

/** Delivers an email, waits until it has been handled, and returns its ticket. */
export async function deliver(
  receiving: Receiving,
  to: string,
  mail: WrittenMail,
  member: Pick<Member, 'id'> = receiving.server.acme,
) {
  const { id, raw } = writeMail({ to, ...mail })
  const { ticket_id, outcome } = await receive(receiving, to, raw, member)
  return { id, ticketId: ticket_id, outcome }
}

/** Delivers emails at the same time, and waits until all have been handled. */
export async function deliverMany({ server, port }: Receiving, to: string, mails: WrittenMail[]) {
  const written = mails.map(mail => writeMail({ to, ...mail }))
  await Promise.all(written.map(({ raw }) => deliverByLmtp(port, to, raw)))
  const ids = written.map(({ id }) => id)
  await until(async () => {
    const rows = await server.db`
      select from incoming_mails where header_id = any(${ids as never}) and ticket_id is not null`
    return rows.length === ids.length
  })
}

export interface TicketMessage {
  id: string
  sender_type: string
  sender_name: string
  content: string
  email: { class: string; to: string[] } | null
  system: { kind: string; data: { reason?: string } } | null
}

export const listMessages = async (
  { server }: Pick<Receiving, 'server'>,
  ticketId: string | null,
): Promise<TicketMessage[]> => (await server.api.get(`/tickets/${ticketId}/messages`)).body.items

/** The automatic messages of a ticket, whether sent or pending. */
export const listAutomatic = async (receiving: Pick<Receiving, 'server'>, ticketId: string | null) =>
  (await listMessages(receiving, ticketId)).filter(one => one.sender_type === 'bot')

/** The reasons in the notes that say that no automatic email was sent. */
export const listHeld = async (receiving: Pick<Receiving, 'server'>, ticketId: string | null) =>
  (await listMessages(receiving, ticketId))
    .filter(({ system }) => system?.kind === 'automatic_email_held')
    .map(({ system }) => system!.data.reason)
