import type { Fragment, Sql } from '../../../core/db/db.ts'
import { newId } from '../../../core/ids.ts'
import type { Authentication } from '../../../mail/authentication.ts'
import type { ProbeToken } from '../../../mail/tokens.ts'
import type { Fault } from './fault.ts'
import type { FetchedMailbox, MailboxRow } from './mailbox.ts'

/** Queries of the tests in which a mailbox sends emails to itself. */

export interface ProbeRow {
  id: string
  state: 'waiting' | 'sent' | 'ended'
  sent_at: string | null
  /** Seconds. */
  round_trip: number | null
  plus_arrived_at: string | null
  authentication: (Authentication & { server: string | null }) | null
  error: Fault | null
  plus_refusal: string | null
}

/** The value of `plus_refusal` if the plus address would be too long. */
export const tooLong = 'too_long'

/** Minutes until a missing email counts as lost. If it arrives later, but within a day, it still counts. */
const deadline = 5

/** Whether a mailbox both sends and receives. */
export const isSendingAndReceiving = ({
  sending,
  incoming,
}: Pick<MailboxRow, 'sending' | 'incoming'>): boolean => sending !== 'none' && incoming !== 'none'

export async function findProbe(sql: Sql, projectId: string, mailboxId: string): Promise<ProbeRow | null> {
  const [row] = await sql<ProbeRow[]>`
    select id, state, sent_at, extract(epoch from arrived_at - sent_at)::float8 as round_trip, plus_arrived_at, authentication,
      error, plus_refusal
    from mailbox_probes where project_id = ${projectId} and mailbox_id = ${mailboxId}`
  return row ?? null
}

/** Starts a test and replaces the earlier one, whose emails are ignored from now on. With an error, the test ends immediately. */
export const insertProbe = (
  sql: Sql,
  projectId: string,
  mailboxId: string,
  error: Fault | null = null,
) => sql`
  insert into mailbox_probes (project_id, mailbox_id, id, state, error)
  values (${projectId}, ${mailboxId}, ${newId()}, ${error ? 'ended' : 'waiting'}, ${error && sql.json(error)})
  on conflict (project_id, mailbox_id) do update set id = excluded.id, state = excluded.state, due_at = excluded.due_at,
    sent_at = null, arrived_at = null, plus_arrived_at = null, authentication = null, error = excluded.error,
    plus_refusal = null`

/** A mailbox that is fetched by IMAP ignores email from before its first connection. */
const isReady = (sql: Sql): Fragment =>
  sql`m.state = 'active' and m.sending <> 'none' and (m.incoming = 'listen' or m.incoming = 'imap' and m.last_ok_at is not null)`

export interface DueProbe {
  project_id: string
  mailbox_id: string
  id: string
}

/** Claims the waiting test of this mailbox, or without a mailbox, the one that has waited longest. */
export async function updateProbeBegun(
  sql: Sql,
  mailbox?: Pick<FetchedMailbox, 'project_id' | 'id'>,
): Promise<DueProbe | null> {
  const which = mailbox
    ? sql`p.project_id = ${mailbox.project_id} and p.mailbox_id = ${mailbox.id}`
    : sql`p.project_id is not null`
  const [row] = await sql<DueProbe[]>`
    with due as (
      select p.project_id, p.mailbox_id from mailbox_probes p
        join mailboxes m on m.project_id = p.project_id and m.id = p.mailbox_id
        join projects o on o.id = p.project_id and o.deleting_since is null and o.suspended_at is null
      where ${which} and p.state = 'waiting' and ${isReady(sql)}
      order by p.due_at limit 1 for update of p skip locked
    )
    update mailbox_probes p set state = 'sent', sent_at = now(), due_at = now() + ${deadline}::int * interval '1 minute'
    from due where p.project_id = due.project_id and p.mailbox_id = due.mailbox_id
    returning p.project_id, p.mailbox_id, p.id`
  return row ?? null
}

export const updateProbeFailed = (sql: Sql, { project_id, mailbox_id, id }: DueProbe, error: Fault) => sql`
  update mailbox_probes set state = 'ended', error = ${sql.json(error)}
  where project_id = ${project_id} and mailbox_id = ${mailbox_id} and id = ${id}`

/** Ends the test if both emails have a result after this change. */
const endedIf = (sql: Sql, plain: Fragment, plus: Fragment): Fragment =>
  sql`state = case when (arrived_at is not null or ${plain}) and (plus_arrived_at is not null or plus_refusal is not null or ${plus})
    then 'ended' else state end`

/** Records that the plus address does not work. Returns false if this is not the current test, or if the email has arrived. */
export async function updatePlusRefused(
  sql: Sql,
  { project_id, mailbox_id, id }: DueProbe,
  words: string,
): Promise<boolean> {
  const { count } = await sql`
    update mailbox_probes set plus_refusal = ${words.replaceAll('\0', '').slice(0, 500)},
      ${endedIf(sql, sql`false`, sql`true`)}
    where project_id = ${project_id} and mailbox_id = ${mailbox_id} and id = ${id} and plus_arrived_at is null`
  return count > 0
}

export const updatePlusWorks = (sql: Sql, projectId: string, mailboxId: string, works: boolean) => sql`
  update mailboxes set plus_works = ${works}
  where project_id = ${projectId} and id = ${mailboxId} and plus_works is distinct from ${works}`

/** Records the arrival of one of the emails. Returns false if it is too old or does not belong to the mailbox's current test. */
export async function updateProbeArrived(
  sql: Sql,
  projectId: string,
  mailboxId: string,
  { id, kind }: ProbeToken,
  authentication: ProbeRow['authentication'],
): Promise<boolean> {
  const [plain, plus] = [sql`${kind === 'plain'}`, sql`${kind === 'plus'}`]
  const { count } = await sql`
    update mailbox_probes set
      ${kind === 'plain' ? sql`arrived_at = least(arrived_at, now())` : sql`plus_arrived_at = least(plus_arrived_at, now())`},
      authentication = coalesce(authentication, ${authentication && sql.json(authentication)}::jsonb),
      ${endedIf(sql, plain, plus)}
    where project_id = ${projectId} and mailbox_id = ${mailboxId} and id = ${id} and sent_at > now() - interval '1 day'`
  return count > 0
}

/** Ends tests whose emails have not arrived in time. Locks the mailboxes first, as everywhere. */
export async function updateProbesOverdue(sql: Sql): Promise<number> {
  const { count } = await sql`
    with due as (
      select m.project_id, m.id from mailbox_probes p
        join mailboxes m on m.project_id = p.project_id and m.id = p.mailbox_id
      where p.project_id is not null and p.state = 'sent' and p.due_at <= now()
      order by m.project_id, m.id for no key update of m skip locked
    ), ended as (
      update mailbox_probes p set state = 'ended' from due
      where p.project_id = due.project_id and p.mailbox_id = due.id and p.state = 'sent' and p.due_at <= now()
      returning p.project_id, p.mailbox_id, p.plus_arrived_at
    )
    update mailboxes m set plus_works = e.plus_arrived_at is not null from ended e
    where m.project_id = e.project_id and m.id = e.mailbox_id`
  return count
}
