import { anyId, type Fragment, type Sql, unprepared } from '../../../core/db/db.ts'
import type { FoundRow } from '../../../core/paging/paging.ts'
import type { SmtpClient } from '../incoming/incoming-queries.ts'
import type { LoggedMail, LoggedMailDetails } from './mail-log-schema.ts'

/** The log of received emails. */

/** Not prepared, because the best index depends on the values of the filters. */
export const findIncomingMailIds = (sql: Sql, where: Fragment, ordering: Fragment) =>
  unprepared(sql<FoundRow[]>`
    select i.id, i.created_at as sort_value from incoming_mails i where ${where} ${ordering}`)

export async function countIncomingMails(sql: Sql, where: Fragment, limit: number): Promise<number> {
  const [row] = await unprepared(sql<{ count: number }[]>`
    select count(*)::int as count from (select from incoming_mails i where ${where} limit ${limit}) i`)
  return row!.count
}

/** The texts that a search compares. The conditions match the expressions of the indexes. */
const startsWith = (sql: Sql, column: Fragment, q: string): Fragment =>
  sql`(${column} collate "C" >= lower(${q}) and ${column} collate "C" < lower(${q}) || chr(1114111))`

export function searchCondition(sql: Sql, q: string): Fragment {
  const id = q.replace(/^<(.*)>$/, '$1')
  return sql`(${startsWith(sql, sql`lower(i.sender)`, q)}
    or ${startsWith(sql, sql`lower(left(i.subject, 200))`, q.slice(0, 200))}
    or (left(i.header_id, 200) = left(${id}, 200) and i.header_id = ${id}))`
}

export const ticketCondition = (sql: Sql, projectId: string, ticketId: string): Fragment =>
  sql`i.id in (
    select r.id from messages m join incoming_mails r on r.project_id = ${projectId} and r.message_id = m.id
    where m.project_id = ${projectId} and m.ticket_id = ${ticketId}
    union all
    select r.id from messages m join incoming_mails r on r.project_id = ${projectId} and r.reported_message_id = m.id
    where m.project_id = ${projectId} and m.ticket_id = ${ticketId})`

const columns = (sql: Sql): Fragment =>
  sql`i.id, i.mailbox_id, i.source, i.state, i.outcome, i.reason, i.sender, i.subject, i.size, i.is_partial, i.attempts,
    coalesce(m.ticket_id, i.ticket_id) as ticket_id, i.message_id, i.reported_message_id, i.received_at, i.created_at`

export const listIncomingMails = (sql: Sql, projectId: string, ids: string[]) => sql<LoggedMail[]>`
  select ${columns(sql)} from incoming_mails i
    left join messages m on m.project_id = ${projectId} and m.id = coalesce(i.message_id, i.reported_message_id)
  where i.project_id = ${projectId} and i.id = ${anyId(sql, ids)}`

export type IncomingMailRow = Omit<LoggedMailDetails, 'envelope' | 'has_raw'> & {
  envelope_from: string | null
  envelope_to: string[]
  client: SmtpClient | null
  sha256: string
  storage_key: string
  bucket_id: string | null
}

export async function findIncomingMail(
  sql: Sql,
  projectId: string,
  id: string,
): Promise<IncomingMailRow | null> {
  const [row] = await sql<IncomingMailRow[]>`
    select ${columns(sql)}, i.header_id, i.folder, i.envelope_from, i.envelope_to, i.client, i.last_error, i.duplicate_of_id,
      i.sha256, i.storage_key, i.bucket_id, case when i.message_id is not null then m.email->>'thread_evidence' end as evidence,
      case when i.state = 'stored' then i.due_at end as next_attempt_at,
      case when i.state <> 'stored' then i.decision->'changes' end as changes
    from incoming_mails i left join messages m on m.project_id = ${projectId} and m.id = coalesce(i.message_id, i.reported_message_id)
    where i.project_id = ${projectId} and i.id = ${id}`
  return row ?? null
}
