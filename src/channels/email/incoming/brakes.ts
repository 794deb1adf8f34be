import type { Tx } from '../../../events/transaction.ts'
import { record } from '../../../tickets/tickets.ts'

/** Limits the tickets that one contact opens by email, because two programs that answer each other would never stop. */

const limits = [
  { tickets: 10, minutes: 10 },
  { tickets: 30, minutes: 60 },
]

type Limit = (typeof limits)[number]

/** A contact's ticket that takes further emails, and the limit that the contact has reached. */
export interface BrakeTicket {
  id: string
  limit: Limit
}

async function findFirst(tx: Tx, contactId: string, { tickets, minutes }: Limit): Promise<string | null> {
  const rows = await tx<{ id: string; is_merged: boolean }[]>`
    select id, merged_into_id is not null as is_merged from tickets
    where project_id = ${tx.projectId} and contact_id = ${contactId} and channel = 'email'
      and created_at > now() - make_interval(mins => ${minutes})
    order by status = 'closed', created_at, id`
  // A merged ticket is skipped, because its target may be the ticket of another contact.
  return rows.length < tickets ? null : (rows.find(row => !row.is_merged)?.id ?? null)
}

/** Null if the contact may open another ticket. The contact must be locked, so that concurrent emails are counted. */
export async function findBrakeTicket(tx: Tx, contactId: string): Promise<BrakeTicket | null> {
  for (const limit of limits) {
    const id = await findFirst(tx, contactId, limit)
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
