import type { Sql } from '../../../core/db/db.ts'
import { now, toDatabase } from '../../../core/time.ts'
import type { Account, HeldAccounts } from '../../../outgoing/outgoing.ts'
import type { FetchedMailbox, MailboxFault } from '../mailboxes/mailbox.ts'

/** Mailboxes as senders. */

interface Allowance {
  is_held: boolean
  send_rate: number
}

/** Locks the mailbox, so that its limits hold across processes. Null if it was removed. */
export async function lockSender(sql: Sql, { project_id, account_id }: Account): Promise<Allowance | null> {
  const [row] = await sql<Allowance[]>`
    select m.state = 'paused' or p.suspended_at is not null or coalesce(m.send_backoff_until > now(), false) as is_held,
      m.send_rate
    from mailboxes m join projects p on p.id = m.project_id
    where m.project_id = ${project_id} and m.id = ${account_id} for no key update of m`
  return row ?? null
}

/** Mailboxes that are paused, by an admin or after a failure. */
export const heldMailboxes: HeldAccounts = sql =>
  sql`select m.project_id, m.id as account_id,
      case when m.state = 'paused' then 'infinity' else m.send_backoff_until end as held_until
    from mailboxes m where m.project_id is not null and (m.state = 'paused' or m.send_backoff_until > now())`

/** The emails that a mailbox has sent in the last minute. */
export async function countRecentlySent(sql: Sql, { project_id, account_id }: Account): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from outgoing_emails
    where project_id = ${project_id} and mailbox_id = ${account_id} and sent_at > now() - interval '1 minute'`
  return row!.count
}

/** The pause after a failure, in seconds. Each further failure doubles it. */
const [firstPause, maxPause] = [5, 900]

/** Pauses sending. Has no effect if the settings have changed since: they are tried at once. */
export const updateSendFailed = (
  sql: Sql,
  { project_id, id, version }: Pick<FetchedMailbox, 'project_id' | 'id' | 'version'>,
  fault: Omit<MailboxFault, 'at'>,
) => sql`
  update mailboxes set send_failures = send_failures + 1,
    send_failing_since = least(send_failing_since, now()),
    send_report_at = case when send_failing_since is null then ${toDatabase(now())}::timestamptz + interval '15 minutes' else send_report_at end,
    send_backoff_until = now() + least(${firstPause}::int * 2 ^ least(send_failures, 20), ${maxPause}::int) * interval '1 second',
    send_error = ${sql.json(fault)} || jsonb_build_object('at',
      to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'))
  where project_id = ${project_id} and id = ${id} and version = ${version}`

export const updateSendOk = (sql: Sql, { project_id, id }: Pick<FetchedMailbox, 'project_id' | 'id'>) => sql`
  update mailboxes set send_failures = 0, send_backoff_until = null, send_error = null, send_failing_since = null,
    send_report_at = null
  where project_id = ${project_id} and id = ${id} and (send_failures > 0 or send_error is not null)`
