import type { Sql } from '../../../core/db/db.ts'
import type { Hours } from '../../../core/weekly-hours.ts'

/** Reads what decides about automatic emails, and counts those that were sent. */

export interface AutomaticFacts {
  short_id: string
  subject: string | null
  contact_name: string | null
  contact_language: string | null
  project_name: string
  project_language: string
  /** Null if the project has no office hours. */
  hours: Hours | null
  /** Whether the envelope sender is empty, as in delivery reports and automatic emails. */
  is_without_sender: boolean
  /** Whether the email arrived more than a day ago, or someone had it read again or made it a ticket. */
  is_late: boolean
}

export async function findAutomaticFacts(
  sql: Sql,
  projectId: string,
  { ticketId, incomingId }: { ticketId: string; incomingId: string },
): Promise<AutomaticFacts> {
  const [row] = await sql<AutomaticFacts[]>`
    select t.number::text as short_id, nullif(t.subject, '') as subject, c.full_name as contact_name,
      c.language as contact_language, p.name as project_name, p.default_locale as project_language,
      w.settings->'hours' as hours, coalesce(i.envelope_from = '', false) as is_without_sender,
      i.decision is not null or i.created_at < now() - interval '1 day' as is_late
    from tickets t
      join projects p on p.id = ${projectId}
      join contacts c on c.project_id = ${projectId} and c.id = t.contact_id
      join incoming_mails i on i.project_id = ${projectId} and i.id = ${incomingId}
      left join widgets w on w.project_id = ${projectId}
    where t.project_id = ${projectId} and t.id = ${ticketId}`
  return row!
}

export interface ProjectHours {
  language: string
  has_hours: boolean
}

export async function findProjectHours(sql: Sql, projectId: string): Promise<ProjectHours> {
  const [row] = await sql<ProjectHours[]>`
    select p.default_locale as language, coalesce(w.settings->'hours' <> 'null', false) as has_hours
    from projects p left join widgets w on w.project_id = ${projectId} where p.id = ${projectId}`
  return row!
}

interface Counts {
  to_address: number
  to_domain: number
}

/**
 * Counts the automatic emails to an address in the last day, and to its domain in the last hour. The counts are exact if this transaction
 * has opened a ticket, because that locks the project's counters until the transaction ends.
 */
export async function countAutomatic(
  sql: Sql,
  projectId: string,
  { address, domain }: { address: string; domain: string },
): Promise<Counts> {
  const [row] = await sql<Counts[]>`
    select (select count(*)::int from automatic_emails where project_id = ${projectId} and address = ${address}
        and sent_at > now() - interval '1 day') as to_address,
      (select count(*)::int from automatic_emails where project_id = ${projectId} and domain = ${domain}
        and sent_at > now() - interval '1 hour') as to_domain`
  return row!
}

interface NewAutomatic {
  ticketId: string
  address: string
  domain: string
}

/** Fails if the ticket already has one. */
export const insertAutomatic = (
  sql: Sql,
  projectId: string,
  { ticketId, address, domain }: NewAutomatic,
) => sql`
  insert into automatic_emails (project_id, ticket_id, address, domain)
  values (${projectId}, ${ticketId}, ${address}, ${domain})`

export async function hasAutomatic(sql: Sql, projectId: string, ticketId: string): Promise<boolean> {
  const { count } = await sql`
    select from automatic_emails where project_id = ${projectId} and ticket_id = ${ticketId}`
  return count > 0
}

export async function hasHeldNote(sql: Sql, projectId: string, ticketId: string): Promise<boolean> {
  const { count } = await sql`
    select from messages where project_id = ${projectId} and ticket_id = ${ticketId}
      and system->>'kind' = 'automatic_email_held' limit 1`
  return count > 0
}

/** Whether a mailbox of the installation has one of these addresses. */
export async function hasMailboxAddress(sql: Sql, addresses: string[]): Promise<boolean> {
  const { count } = await sql`
    select from mailbox_addresses where address = any(${addresses}::text[]) limit 1`
  return count > 0
}
