import { allOf, conditionIf } from '../../../core/db/conditions.ts'
import type { Fragment, Sql } from '../../../core/db/db.ts'
import { toDatabase } from '../../../core/time.ts'
import type { ClaimedMail } from '../incoming/incoming-queries.ts'

/** The emails that are messages and whose originals are stored. */

export interface RereadRange {
  projectId: string
  /** ISO 8601 in UTC. Only emails that were stored since then. */
  since: string
  mailboxId?: string | undefined
}

export interface MailToReread extends ClaimedMail {
  subject: string | null
  created_at: string
}

const inRange = (sql: Sql, { projectId, since, mailboxId }: RereadRange): Fragment =>
  allOf(sql, [
    sql`i.project_id = ${projectId}`,
    sql`i.created_at >= ${toDatabase(since)}::timestamptz`,
    sql`i.state = 'done' and i.message_id is not null`,
    ...conditionIf(mailboxId, id => sql`i.mailbox_id = ${id}`),
  ])

const pageSize = 100

/** The next emails in the order in which they were stored. */
export const listMailsToReread = (sql: Sql, range: RereadRange, after: MailToReread | undefined) => sql<
  MailToReread[]
>`
  select i.project_id, i.id, i.mailbox_id, i.source, i.envelope_from, i.envelope_to, i.client, i.size, i.is_partial,
    i.storage_key, i.bucket_id, i.received_at, i.attempts, i.decision, i.message_id, i.subject, i.created_at
  from incoming_mails i where ${inRange(sql, range)} and i.storage_key <> ''
    and ${after ? sql`(i.created_at, i.id) > (${toDatabase(after.created_at)}::timestamptz, ${after.id}::uuid)` : sql`true`}
  order by i.created_at, i.id limit ${pageSize}`

/** `lost`: those whose originals are no longer stored. */
export async function countMailsToReread(sql: Sql, range: RereadRange) {
  const [row] = await sql<{ stored: number; lost: number }[]>`
    select count(*) filter (where i.storage_key <> '')::int as stored, count(*) filter (where i.storage_key = '')::int as lost
    from incoming_mails i where ${inRange(sql, range)}`
  return row!
}

/** Locks the email. False if it is being handled. */
export async function lockDoneMail(sql: Sql, { project_id, id }: ClaimedMail): Promise<boolean> {
  const { count } = await sql`
    select from incoming_mails where project_id = ${project_id} and id = ${id} and state = 'done' for no key update`
  return count > 0
}

export const updateMailChanges = (
  sql: Sql,
  { project_id, id }: ClaimedMail,
  decision: ClaimedMail['decision'],
) => sql`
  update incoming_mails set decision = ${sql.json(decision)} where project_id = ${project_id} and id = ${id}`
