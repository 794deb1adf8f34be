import { anyId, type Fragment, type Sql } from '../../core/db.ts'
import type { FoundRow } from '../../core/paging.ts'
import type { LoggedMail } from './schema.ts'

/** The log of received emails. */

export const findIncomingMailIds = (sql: Sql, where: Fragment, ordering: Fragment) => sql<FoundRow[]>`
  select i.id, i.created_at as sort_value from incoming_mails i where ${where} ${ordering}`

export async function countIncomingMails(sql: Sql, where: Fragment, limit: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (select from incoming_mails i where ${where} limit ${limit}) i`
  return row!.count
}

export const listIncomingMails = (sql: Sql, projectId: string, ids: string[]) => sql<LoggedMail[]>`
  select id, mailbox_id, source, state, outcome, reason, sender, subject, size, is_partial, attempts, ticket_id,
    message_id, received_at, created_at
  from incoming_mails where project_id = ${projectId} and id = ${anyId(sql, ids)}`
