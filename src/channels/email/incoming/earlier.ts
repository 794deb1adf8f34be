import type { Sql } from '../../../core/db.ts'
import type { Earlier } from '../../../mail/quotes.ts'
import { mailboxAddresses, type ProjectFacts } from './project-facts.ts'

/** How many of the ticket's latest messages a quote is compared with. */
const maxMessages = 40

/** The ticket's earlier messages, for recognising quotes from them. */
export async function findEarlier(
  sql: Sql,
  projectId: string,
  ticketId: string,
  { mailbox, name }: Pick<ProjectFacts, 'mailbox' | 'name'>,
): Promise<Earlier> {
  const rows = await sql<{ content: string; name: string | null; address: string | null; at: string }[]>`
    select content, sender_name as name, email->>'from' as address,
      to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at
    from messages where project_id = ${projectId} and ticket_id = ${ticketId} and not is_internal
      and sender_type <> 'system' and delivery_status <> 'scheduled'
    order by created_at desc, id desc limit ${maxMessages}`
  const [contact] = await sql<{ email: string | null; full_name: string | null }[]>`
    select c.email, c.full_name from tickets t
    join contacts c on c.project_id = ${projectId} and c.id = t.contact_id
    where t.project_id = ${projectId} and t.id = ${ticketId}`
  const known = (list: (string | null | undefined)[]): string[] => [
    ...new Set(list.filter(one => one) as string[]),
  ]
  return {
    texts: rows.map(row => row.content),
    addresses: known([...mailboxAddresses(mailbox), contact?.email, ...rows.map(row => row.address)]),
    names: known([mailbox.name, name, contact?.full_name, ...rows.map(row => row.name)]),
    dates: rows.map(row => row.at),
  }
}
