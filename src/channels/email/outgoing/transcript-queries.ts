import type { Sql } from '../../../core/db/db.ts'

/** Queries about copies of conversations that were sent before. */

export interface TranscriptFacts {
  /** Whether an operator has replied to the contact. */
  is_answered: boolean
  /** Whether an earlier email to the contact's address bounced. */
  is_undeliverable: boolean
  /** Copies of this ticket in the last 10 minutes. */
  recent: number
  /** Copies of all the contact's tickets in the last 24 hours. */
  today: number
}

export async function findTranscriptFacts(
  sql: Sql,
  projectId: string,
  ticketId: string,
): Promise<TranscriptFacts> {
  const [row] = await sql<TranscriptFacts[]>`
    select a.last_operator_message_at is not null as is_answered,
      exists (select from contact_identities i where i.project_id = ${projectId} and i.contact_id = t.contact_id
        and i.type = 'email' and i.value = c.email and i.is_undeliverable) as is_undeliverable,
      sent.recent, sent.today
    from tickets t
      join ticket_activity a on a.project_id = ${projectId} and a.ticket_id = t.id
      join contacts c on c.project_id = ${projectId} and c.id = t.contact_id
      cross join lateral (
        select count(*) filter (where m.ticket_id = t.id and m.created_at > now() - interval '10 minutes')::int as recent,
          count(*)::int as today
        from tickets o join messages m on m.project_id = ${projectId} and m.ticket_id = o.id
        where o.project_id = ${projectId} and o.contact_id = t.contact_id and m.sender_type = 'system'
          and m.system->>'kind' = 'transcript_sent' and m.created_at > now() - interval '1 day') sent
    where t.project_id = ${projectId} and t.id = ${ticketId}`
  return row!
}
