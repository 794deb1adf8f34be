import { anyId, type Fragment, type Sql } from '../../../core/db/db.ts'
import { toDatabase } from '../../../core/time.ts'
import type { Earlier } from '../../../mail/quotes.ts'
import { mailboxAddresses, type ProjectFacts } from './project-facts.ts'

/** How many of the ticket's latest messages a quote is compared with. */
const maxMessages = 40

/** A message that is read again: only earlier messages count. */
export interface EarlierThan {
  id: string
  /** ISO 8601 in UTC. */
  created_at: string
}

const olderThan = (sql: Sql, message: EarlierThan | null): Fragment =>
  message
    ? sql`(created_at, id) < (${toDatabase(message.created_at)}::timestamptz, ${message.id}::uuid)`
    : sql`true`

/** The signatures below our emails. Replies quote them too. */
async function listSignatures(sql: Sql, projectId: string, ticketIds: string[]): Promise<string[]> {
  const rows = await sql<{ signature: string }[]>`
    select o.signature from operators o where o.project_id = ${projectId} and o.signature <> '' and o.id in (
      select sender_id from messages
      where project_id = ${projectId} and ticket_id = ${anyId(sql, ticketIds)} and sender_type = 'operator')
    union select signature from departments where project_id = ${projectId} and signature <> ''
    union select signature from mailboxes where project_id = ${projectId} and signature <> ''`
  return rows.map(row => row.signature)
}

/** The earlier messages of these tickets, to recognise quoted text. Only third parties, who get forwarded messages, can quote internal notes. */
export async function findEarlier(
  sql: Sql,
  projectId: string,
  ticketIds: string[],
  { mailbox, name }: Pick<ProjectFacts, 'mailbox' | 'name'>,
  { message = null, withNotes = false }: { message?: EarlierThan | null; withNotes?: boolean } = {},
): Promise<Earlier> {
  const rows = await sql<{ content: string; name: string | null; address: string | null; at: string }[]>`
    select content, sender_name as name, email->>'from' as address,
      to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at
    from messages where project_id = ${projectId} and ticket_id = ${anyId(sql, ticketIds)}
      and (${withNotes} or not is_internal) and sender_type <> 'system' and delivery_status <> 'scheduled' and ${olderThan(sql, message)}
    order by created_at desc, id desc limit ${maxMessages}`
  const contacts = await sql<{ email: string | null; full_name: string | null }[]>`
    select c.email, c.full_name from tickets t
    join contacts c on c.project_id = ${projectId} and c.id = t.contact_id
    where t.project_id = ${projectId} and t.id = ${anyId(sql, ticketIds)}`
  const known = (list: (string | null | undefined)[]): string[] => [
    ...new Set(list.flatMap(one => one || [])),
  ]
  return {
    texts: [...(await listSignatures(sql, projectId, ticketIds)), ...rows.map(row => row.content)],
    addresses: known([
      ...mailboxAddresses(mailbox),
      ...contacts.map(one => one.email),
      ...rows.map(row => row.address),
    ]),
    names: known([mailbox.name, name, ...contacts.map(one => one.full_name), ...rows.map(row => row.name)]),
    dates: rows.map(row => row.at),
  }
}
