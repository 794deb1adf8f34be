import { anyId, type Fragment, type Sql } from '../../../core/db/db.ts'
import type { WaitingWork } from '../../../core/due/due-work.ts'
import { now, toDatabase } from '../../../core/time.ts'
import type { FetchedMailbox, MailboxFault, MailboxRow, MailboxState } from './mailbox.ts'

/** Mailboxes and their addresses. */

const columns = (sql: Sql): Fragment =>
  sql`id, address, aliases, name, department_id, signature, texts, sends_acknowledgement, sends_away, incoming, imap, folders,
    after_fetch, after_fetch_days, after_fetch_folder, start_from, start_days, plus_works, authserv_ids, form_senders,
    trusts_spam_headers, sending, smtp, send_rate, history, saves_sent, sent_folder, send_error, send_backoff_until,
    state, last_ok_at, last_error, backoff_until, version, created_at`

const fetchedColumns = (sql: Sql): Fragment => sql`project_id, secrets, failures, ${columns(sql)}`

export const listMailboxRows = (sql: Sql, projectId: string) => sql<MailboxRow[]>`
  select ${columns(sql)} from mailboxes where project_id = ${projectId} order by created_at, id`

export const listMailboxRowsByIds = (sql: Sql, projectId: string, ids: string[]) => sql<MailboxRow[]>`
  select ${columns(sql)} from mailboxes where project_id = ${projectId} and id = ${anyId(sql, ids)}`

export async function findMailboxRow(sql: Sql, projectId: string, id: string): Promise<MailboxRow | null> {
  const [row] = await sql<MailboxRow[]>`
    select ${columns(sql)} from mailboxes where project_id = ${projectId} and id = ${id}`
  return row ?? null
}

export async function findFetchedMailbox(
  sql: Sql,
  projectId: string,
  id: string,
): Promise<FetchedMailbox | null> {
  const [row] = await sql<FetchedMailbox[]>`
    select ${fetchedColumns(sql)} from mailboxes where project_id = ${projectId} and id = ${id}`
  return row ?? null
}

export async function lockMailbox(sql: Sql, projectId: string, id: string): Promise<FetchedMailbox | null> {
  const [row] = await sql<FetchedMailbox[]>`
    select ${fetchedColumns(sql)} from mailboxes where project_id = ${projectId} and id = ${id} for no key update`
  return row ?? null
}

export async function countMailboxes(sql: Sql, projectId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from mailboxes where project_id = ${projectId}`
  return row!.count
}

export type MailboxFields = Partial<Omit<MailboxRow, 'version' | 'created_at' | 'imap' | 'smtp'>> & {
  imap?: MailboxRow['imap']
  smtp?: MailboxRow['smtp']
  send_failures?: number
  send_failing_since?: null
  send_report_at?: null
  secrets?: Buffer | null
}

const forSql = (sql: Sql, fields: MailboxFields) => ({
  ...fields,
  ...(fields.imap !== undefined && { imap: fields.imap && sql.json(fields.imap) }),
  ...(fields.smtp !== undefined && { smtp: fields.smtp && sql.json(fields.smtp) }),
  ...(fields.texts !== undefined && { texts: sql.json(fields.texts) }),
})

export async function insertMailbox(sql: Sql, projectId: string, fields: MailboxFields): Promise<MailboxRow> {
  const [row] = await sql<MailboxRow[]>`
    insert into mailboxes ${sql({ project_id: projectId, ...forSql(sql, fields) })} returning ${columns(sql)}`
  return row!
}

/** A change of settings ends the backoff, so the next attempt starts immediately. */
export async function updateMailbox(
  sql: Sql,
  projectId: string,
  id: string,
  fields: MailboxFields,
): Promise<MailboxRow> {
  const [row] = await sql<MailboxRow[]>`
    update mailboxes set ${sql(forSql(sql, fields))}, version = version + 1, failures = 0, backoff_until = null,
      failing_since = null, report_at = null
    where project_id = ${projectId} and id = ${id} returning ${columns(sql)}`
  return row!
}

/** Inserts the addresses that no other mailbox of the installation has, and returns them. */
export const insertAddresses = (sql: Sql, projectId: string, mailboxId: string, addresses: string[]) => sql<
  { address: string }[]
>`
  insert into mailbox_addresses (project_id, address, mailbox_id)
  select ${projectId}, address, ${mailboxId} from unnest(${addresses}::text[]) as given (address)
  order by address on conflict do nothing returning address`

export const deleteAddresses = (sql: Sql, projectId: string, mailboxId: string) => sql`
  delete from mailbox_addresses where project_id = ${projectId} and mailbox_id = ${mailboxId}`

export interface FoundRecipient {
  project_id: string
  mailbox_id: string
  address: string
  state: MailboxState
}

/** Mailboxes of the kind `listen` with one of these addresses. */
export const listRecipients = (sql: Sql, addresses: string[]) => sql<FoundRecipient[]>`
  select m.project_id, m.id as mailbox_id, a.address, m.state from mailbox_addresses a
    join mailboxes m on m.project_id = a.project_id and m.id = a.mailbox_id
    join projects p on p.id = m.project_id and p.deleting_since is null
  where a.address = any(${addresses}::text[]) and m.incoming = 'listen'`

/** Mailboxes to fetch and when they are due: immediately, or when their lease or backoff ends. */
export const waitingMailboxes = (sql: Sql): Fragment =>
  sql`select m.project_id, m.id as subject_id, greatest(m.created_at, m.backoff_until, m.lease_until) as due_at from mailboxes m
    join projects p on p.id = m.project_id and p.deleting_since is null
    where m.project_id is not null and m.incoming = 'imap' and m.state = 'active'`

export const nextMailboxDue: WaitingWork = sql =>
  sql`(select w.due_at from (${waitingMailboxes(sql)}) w where w.project_id = h.project_id and w.subject_id = h.subject_id)`

/** Seconds. A process renews its leases several times within this period. */
const leaseSeconds = 30

const leaseEnd = (sql: Sql): Fragment => sql`now() + ${leaseSeconds}::int * interval '1 second'`

/** Claims mailboxes that no process is fetching. */
export const lockDueMailboxes = (
  sql: Sql,
  leaseId: string,
  due: readonly { project_id: string; subject_id: string }[],
) => sql<FetchedMailbox[]>`
  update mailboxes set lease_id = ${leaseId}, lease_until = ${leaseEnd(sql)}
  where (project_id, id) in (
    select m.project_id, m.id
    from unnest(${due.map(one => one.project_id)}::uuid[], ${due.map(one => one.subject_id)}::uuid[])
        as given (project_id, id)
      join mailboxes m on m.project_id = given.project_id and m.id = given.id
      join projects p on p.id = m.project_id and p.deleting_since is null
    where m.incoming = 'imap' and m.state = 'active' and (m.lease_until is null or m.lease_until <= now())
      and (m.backoff_until is null or m.backoff_until <= now())
    order by m.project_id, m.id for no key update of m skip locked)
  returning ${fetchedColumns(sql)}`

/** Extends a process's leases, and returns the mailboxes that it still holds, with their versions. */
export const updateLeases = (
  sql: Sql,
  leaseId: string,
  held: readonly { project_id: string; id: string }[],
) =>
  sql<{ id: string; version: number }[]>`
  update mailboxes m set lease_until = ${leaseEnd(sql)}
  from unnest(${held.map(one => one.project_id)}::uuid[], ${held.map(one => one.id)}::uuid[])
    as given (project_id, id)
  where m.project_id = given.project_id and m.id = given.id and m.lease_id = ${leaseId} and m.state = 'active'
    and m.incoming = 'imap'
  returning m.id, m.version`

export const listLeased = (sql: Sql, leaseId: string, held: readonly { project_id: string; id: string }[]) =>
  sql<{ id: string; version: number }[]>`
  select m.id, m.version from mailboxes m
    join unnest(${held.map(one => one.project_id)}::uuid[], ${held.map(one => one.id)}::uuid[])
      as given (project_id, id) on m.project_id = given.project_id and m.id = given.id
  where m.lease_id = ${leaseId} and m.state = 'active' and m.incoming = 'imap'`

export const updateLeaseEnded = (sql: Sql, leaseId: string, projectId: string, id: string) => sql`
  update mailboxes set lease_id = null, lease_until = null
  where project_id = ${projectId} and id = ${id} and lease_id = ${leaseId}`

/** Written at most once a minute, because it only shows that fetching works. */
export const updateMailboxOk = (sql: Sql, projectId: string, id: string) => sql`
  update mailboxes set last_ok_at = now(), last_error = null, failures = 0, backoff_until = null, failing_since = null, report_at = null
  where project_id = ${projectId} and id = ${id} and state = 'active'
    and (last_ok_at is null or last_ok_at < now() - interval '55 seconds' or failures > 0 or last_error is not null)`

interface FailedAttempt {
  /** The version of the settings that failed. */
  version: number
  fault: Omit<MailboxFault, 'at'>
  waitMs: number
  isBroken: boolean
}

/** Has no effect if the settings have changed since: they are tried at once. */
export const updateMailboxFailed = (
  sql: Sql,
  projectId: string,
  id: string,
  { version, fault, waitMs, isBroken }: FailedAttempt,
) => sql`
  update mailboxes set failures = failures + 1, backoff_until = now() + ${waitMs}::float8 * interval '1 ms',
    state = case when ${isBroken} then 'broken' else state end, failing_since = least(failing_since, now()),
    report_at = case when failing_since is null then ${toDatabase(now())}::timestamptz + interval '15 minutes' else report_at end,
    last_error = ${sql.json(fault)} || jsonb_build_object('at',
      to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'))
  where project_id = ${projectId} and id = ${id} and state = 'active' and version = ${version}`
