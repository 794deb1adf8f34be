import type { Sql } from '../../../core/db/db.ts'
import type { MailDecision } from '../incoming/decision.ts'
import type { MailState } from '../incoming/incoming-queries.ts'

/** Decisions about received emails. */

export interface DecidedMail {
  state: MailState
  attempts: number
  subject: string | null
  storage_key: string
  outcome: string | null
  envelope_from: string | null
  decision: MailDecision | null
  /** The message that the email became; null if there is none. */
  message_id: string | null
  /** The message's ticket; null if there is no message, or if it has been deleted. */
  ticket_id: string | null
  /** Whether the message is the first of its ticket. */
  is_first: boolean
}

export async function lockDecidedMail(sql: Sql, projectId: string, id: string): Promise<DecidedMail | null> {
  await sql`select from incoming_mails where project_id = ${projectId} and id = ${id} for no key update`
  const [row] = await sql<DecidedMail[]>`
    select i.state, i.attempts, i.subject, i.storage_key, i.outcome, i.envelope_from, i.decision, i.message_id, m.ticket_id,
      not exists (select from messages e where e.project_id = ${projectId} and e.ticket_id = m.ticket_id
        and e.sender_type <> 'system' and (e.created_at, e.id) < (m.created_at, m.id)) as is_first
    from incoming_mails i left join messages m on m.project_id = ${projectId} and m.id = i.message_id
    where i.project_id = ${projectId} and i.id = ${id}`
  return row ?? null
}

/** Makes the email of a message due now, to be read again. */
export const updateMailReread = (sql: Sql, projectId: string, id: string, decision: MailDecision) => sql`
  update incoming_mails set state = 'stored', due_at = now(), last_error = null, decision = ${sql.json(decision)}
  where project_id = ${projectId} and id = ${id}`

/** Handles the email again, now. */
export const updateMailDecided = (sql: Sql, projectId: string, id: string, decision: MailDecision) => sql`
  update incoming_mails set state = 'stored', due_at = now(), outcome = null, reason = null, last_error = null,
    duplicate_of_id = null, decision = ${sql.json(decision)}
  where project_id = ${projectId} and id = ${id}`
