import type { Fragment, Sql } from '../../../core/db/db.ts'
import type { WaitingWork } from '../../../core/due/due-work.ts'
import type { MailDecision } from './decision.ts'
import type { MailOutcome } from './outcomes.ts'

/** Received emails. */

export type MailSource = 'imap' | 'import' | 'smtp' | 'lmtp'
export type MailState = 'stored' | 'done' | 'failed' | 'parked' | 'duplicate'

export interface NewIncomingMail {
  id: string
  mailbox_id: string
  source: MailSource
  folder: string | null
  uid_validity: number | null
  uid: number | null
  envelope_from: string | null
  envelope_to: string[]
  client: SmtpClient | null
  size: number
  is_partial: boolean
  sha256: string
  storage_key: string
  bucket_id: string | null
  /** ISO 8601. */
  received_at: string
  state: MailState
  outcome: MailOutcome | null
  reason: string | null
  last_error: string | null
  /** Days until the email is marked, moved or deleted on the server; null to leave it unchanged. */
  after_fetch_days: number | null
}

/** The client that delivered the email to the listener. */
export interface SmtpClient {
  ip: string
  host: string
  helo: string
  is_secure: boolean
}

/** Returns false if the folder's email is already recorded. */
export async function insertIncomingMail(
  sql: Sql,
  projectId: string,
  { after_fetch_days: days, client, ...mail }: NewIncomingMail,
): Promise<boolean> {
  const fields = { ...mail, client: client && sql.json(client) }
  const { count } = await sql`
    insert into incoming_mails ${sql({ project_id: projectId, ...fields })}
    on conflict (project_id, mailbox_id, folder, uid_validity, uid) do nothing`
  if (count && days !== null)
    await sql`
      update incoming_mails set after_fetch_due = now() + ${days}::int * interval '1 day'
      where project_id = ${projectId} and id = ${mail.id}`
  return count > 0
}

/** Stores the new UID of an email that was recognised by its content. */
export async function updateRenumbered(
  sql: Sql,
  projectId: string,
  mail: Pick<NewIncomingMail, 'mailbox_id' | 'folder' | 'uid_validity' | 'uid' | 'sha256'>,
): Promise<boolean> {
  const { count } = await sql`
    update incoming_mails set uid_validity = ${mail.uid_validity}, uid = ${mail.uid}
    where project_id = ${projectId} and id = (
      select id from incoming_mails
      where project_id = ${projectId} and mailbox_id = ${mail.mailbox_id} and folder = ${mail.folder}
        and sha256 = ${mail.sha256} and uid_validity <> ${mail.uid_validity}
      order by id limit 1)`
  return count > 0
}

export interface ClaimedMail {
  project_id: string
  id: string
  /** Null if the mailbox has been deleted. */
  mailbox_id: string | null
  source: MailSource
  envelope_from: string | null
  envelope_to: string[]
  client: SmtpClient | null
  size: number
  is_partial: boolean
  storage_key: string
  bucket_id: string | null
  received_at: string
  /** Including this one. */
  attempts: number
  decision: MailDecision | null
  /** Whether a process ended while handling the email, perhaps because of it. */
  is_suspect: boolean
  /** The message that is read again; null if the email is not a message yet. */
  message_id: string | null
}

export const storedMails: WaitingWork = sql =>
  sql`select project_id, due_at from incoming_mails where state = 'stored'`

export const nextStoredMail = (sql: Sql): Fragment =>
  sql`(select min(w.due_at) from (${storedMails(sql)}) w where w.project_id = h.project_id)`

/** Attempts before a person decided about the email. */
const attemptsBefore = (sql: Sql): Fragment => sql`coalesce((decision->>'attempts')::int, 0)`

/**
 * Claims stored emails, oldest first, with a lease. As an array, the subquery runs once; in a join it could claim more than `limit`.
 * `withSuspects`: also emails that a process was handling when it ended.
 */
export const lockStoredMails = (
  sql: Sql,
  projectId: string,
  { limit, leaseMs, withSuspects = true }: { limit: number; leaseMs: number; withSuspects?: boolean },
) => sql<ClaimedMail[]>`
  update incoming_mails set attempts = attempts + 1, due_at = now() + ${leaseMs}::int * interval '1 ms'
  where project_id = ${projectId} and id = any(array(
    select id from incoming_mails where project_id = ${projectId} and state = 'stored' and due_at <= now()
      and (${withSuspects} or attempts <= ${attemptsBefore(sql)} or last_error is not null)
    order by due_at, id limit ${limit} for update skip locked))
  returning project_id, id, mailbox_id, source, envelope_from, envelope_to, client, size, is_partial, storage_key,
    bucket_id, received_at, attempts, decision, message_id,
    attempts > 1 + ${attemptsBefore(sql)} and last_error is null as is_suspect`

/** The columns that are set when an email has been handled. */
export interface MailResult {
  state: Exclude<MailState, 'stored'>
  /** Omitted for a message that was read again: its outcome stays. */
  outcome?: MailOutcome
  decision?: MailDecision
  reason?: string | null
  last_error?: string | null
  duplicate_of_id?: string | null
  header_id?: string | null
  fingerprint?: string | null
  sender?: string | null
  subject?: string | null
  ticket_id?: string | null
  message_id?: string | null
  /** The message that a delivery report is about. */
  reported_message_id?: string | null
}

/** Returns false if another process has claimed or handled the email since. */
export async function updateMailHandled(
  sql: Sql,
  { project_id, id, attempts }: Pick<ClaimedMail, 'project_id' | 'id' | 'attempts'>,
  { decision, ...result }: MailResult,
): Promise<boolean> {
  const fields = { ...result, ...(decision && { decision: sql.json(decision) }) }
  const { count } = await sql`
    update incoming_mails set ${sql(fields)}
    where project_id = ${project_id} and id = ${id} and attempts = ${attempts} and state = 'stored'`
  return count > 0
}

/** Schedules the email's next attempt. */
export const updateMailPostponed = (
  sql: Sql,
  { project_id, id, attempts }: Pick<ClaimedMail, 'project_id' | 'id' | 'attempts'>,
  { reason, waitMs }: { reason: string; waitMs: number },
) => sql`
  update incoming_mails set reason = case when message_id is null then ${reason} else reason end, last_error = ${reason}, due_at = now() + ${waitMs}::int * interval '1 ms'
  where project_id = ${project_id} and id = ${id} and attempts = ${attempts} and state = 'stored'`

/** Whether an email that arrived earlier is being handled. An email that has failed may fail again, so nothing waits for it. */
export async function hasOlderInProgress(
  sql: Sql,
  { project_id, id }: Pick<ClaimedMail, 'project_id' | 'id'>,
): Promise<boolean> {
  const { count } = await sql`
    select from incoming_mails
    where project_id = ${project_id} and state = 'stored' and message_id is null and id < ${id} and attempts = 1 and last_error is null
      and due_at > now() limit 1`
  return count > 0
}

/** Handles the email a second later. This does not count as an attempt. */
export async function updateMailWaiting(
  sql: Sql,
  { project_id, id, attempts }: Pick<ClaimedMail, 'project_id' | 'id' | 'attempts'>,
): Promise<void> {
  await sql`
    update incoming_mails set attempts = attempts - 1, due_at = now() + interval '1 s'
    where project_id = ${project_id} and id = ${id} and attempts = ${attempts} and state = 'stored'`
}

/** Extends the lease of a claimed email. */
export const updateMailLease = (
  sql: Sql,
  { project_id, id, attempts }: Pick<ClaimedMail, 'project_id' | 'id' | 'attempts'>,
  leaseMs: number,
) => sql`
  update incoming_mails set due_at = now() + ${leaseMs}::int * interval '1 ms'
  where project_id = ${project_id} and id = ${id} and attempts = ${attempts} and state = 'stored'`
