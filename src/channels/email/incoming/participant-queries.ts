import type { Fragment, Sql } from '../../../core/db/db.ts'

/** Who takes part in a ticket by email. Addresses are in lower case. */

export interface Correspondent {
  address: string
  name: string | null
}

export interface ChangedParticipant extends Correspondent {
  is_removed: boolean
}

export const listContactAddresses = (sql: Sql, projectId: string, contactId: string) => sql<Correspondent[]>`
  select lower(i.value) as address, c.full_name as name from contact_identities i
  join contacts c on c.project_id = ${projectId} and c.id = i.contact_id
  where i.project_id = ${projectId} and i.contact_id = ${contactId} and i.type = 'email' order by i.value`

/**
 * Emails that joined the ticket by its number or subject, or because of a limit, count only if their sender was verified: otherwise, a
 * stranger could add themselves with a forged email.
 */
export const isSenderTrusted = (sql: Sql): Fragment =>
  sql`(m.email->>'thread_reason' not in ('ticket_number', 'subject', 'loop_suspected')
    or m.email->'authentication'->>'dmarc' = 'pass')`

/** The emails whose senders and recipients take part in the ticket, or with `isInternal`, in its forwarded conversations. */
const counts = (sql: Sql, projectId: string, ticketId: string, isInternal = false): Fragment =>
  sql`m.project_id = ${projectId} and m.ticket_id = ${ticketId} and m.email is not null and m.is_internal = ${isInternal}
    and ${isSenderTrusted(sql)}`

const recipients = (sql: Sql): Fragment => sql`jsonb_array_elements_text((m.email->'to') || (m.email->'cc'))`

/** Everyone who wrote or received one of the ticket's emails. */
export const listCorrespondents = (sql: Sql, projectId: string, ticketId: string) => sql<Correspondent[]>`
  select distinct on (lower(p.address)) lower(p.address) as address, p.name from messages m
  cross join lateral (
    select m.email->>'from' as address, m.email->>'from_name' as name
    union all
    select a, null from ${recipients(sql)} a) p
  where ${counts(sql, projectId, ticketId)} and p.address is not null
  order by lower(p.address), p.name nulls last`

/** Whether this address wrote or received one of the ticket's emails, or with `isInternal`, one of its forwarded conversations. */
export async function hasCorrespondent(
  sql: Sql,
  projectId: string,
  ticketId: string,
  address: string,
  isInternal = false,
): Promise<boolean> {
  const { count } = await sql`
    select from messages m
    where ${counts(sql, projectId, ticketId, isInternal)}
      and (lower(m.email->>'from') = ${address}
        or exists (select from ${recipients(sql)} a where lower(a) = ${address})) limit 1`
  return count > 0
}

/** The people who were added to or removed from the ticket, or a ticket that was merged into it. The last change counts. */
export const listChangedParticipants = (sql: Sql, projectId: string, ticketId: string) => sql<
  ChangedParticipant[]
>`
  with recursive merged as (
    select ${ticketId}::uuid as id
    union
    select t.id from merged join tickets t on t.project_id = ${projectId} and t.merged_into_id = merged.id
  )
  select distinct on (p.address) p.address, p.name, p.is_removed from ticket_participants p
  where p.project_id = ${projectId} and p.ticket_id in (select id from merged)
  order by p.address, p.changed_at desc`

export const listOperatorAddresses = (sql: Sql, projectId: string) => sql<{ address: string }[]>`
  select lower(email) as address from operators where project_id = ${projectId} and removed_at is null`

export const updateParticipant = (
  sql: Sql,
  projectId: string,
  ticketId: string,
  { address, name, is_removed }: ChangedParticipant,
) => sql`
  insert into ticket_participants (project_id, ticket_id, address, name, is_removed)
  values (${projectId}, ${ticketId}, ${address}, ${name}, ${is_removed})
  on conflict (project_id, ticket_id, address)
  do update set name = excluded.name, is_removed = excluded.is_removed, changed_at = excluded.changed_at`

/** The ticket's contact; null if there is no such ticket. */
export async function lockTicketContact(sql: Sql, projectId: string, id: string): Promise<string | null> {
  const [row] = await sql<{ contact_id: string }[]>`
    select contact_id from tickets where project_id = ${projectId} and id = ${id} for no key update`
  return row?.contact_id ?? null
}
