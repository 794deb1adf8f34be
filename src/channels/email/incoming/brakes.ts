import type { Tx } from '../../../events/transaction.ts'
import type { MailVerdict } from '../../../mail/authentication.ts'
import { record } from '../../../tickets/tickets.ts'

/** Limits the tickets that one contact opens by email, because two programs that answer each other would never stop. */

const limits = [
  { tickets: 10, minutes: 10 },
  { tickets: 30, minutes: 60 },
]

type Limit = (typeof limits)[number]

export interface BrakeSender {
  contactId: string
  dmarc: MailVerdict
}

/** A contact's ticket that takes further emails, and the limit that the contact has reached. */
export interface BrakeTicket {
  id: string
  limit: Limit
}

/**
 * Counts only tickets with emails of the same DMARC result, so that emails with a forged address do not join the tickets of the
 * address's owner. Imported emails are not counted. A merged ticket no longer has any emails.
 */
async function findFirst(tx: Tx, sender: BrakeSender, { tickets, minutes }: Limit): Promise<string | null> {
  const { projectId } = tx
  const rows = await tx<{ id: string; is_merged: boolean }[]>`
    select t.id, t.merged_into_id is not null as is_merged from tickets t
    where t.project_id = ${projectId} and t.contact_id = ${sender.contactId} and t.channel = 'email'
      and t.created_at > now() - make_interval(mins => ${minutes})
      and (t.merged_into_id is not null or exists (
        select from messages m
        join incoming_mails i on i.project_id = ${projectId} and i.message_id = m.id and i.source <> 'import'
        where m.project_id = ${projectId} and m.ticket_id = t.id
          and m.email->'authentication'->>'dmarc' = ${sender.dmarc}))
    order by t.status = 'closed', t.created_at, t.id`
  // A merged ticket is skipped, because its target may be the ticket of another contact.
  return rows.length < tickets ? null : (rows.find(row => !row.is_merged)?.id ?? null)
}

/** Null if the contact may open another ticket. The contact must be locked, so that concurrent emails are counted. */
export async function findBrakeTicket(tx: Tx, sender: BrakeSender): Promise<BrakeTicket | null> {
  for (const limit of limits) {
    const id = await findFirst(tx, sender, limit)
    if (id) return { id, limit }
  }
  return null
}

/** Adds one note to the ticket, however many emails join it. */
export async function noteLoop(tx: Tx, { id, limit }: BrakeTicket): Promise<void> {
  const { count } = await tx`
    select from messages where project_id = ${tx.projectId} and ticket_id = ${id} and system->>'kind' = 'loop_suspected' limit 1`
  if (count === 0) await record(tx, id, 'loop_suspected', { ...limit }, true)
}
