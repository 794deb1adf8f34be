import type { Fragment, Sql } from '../core/db/db.ts'
import type { NextDue } from '../core/due/due-work.ts'
import { newId } from '../core/ids.ts'
import type { Tx } from '../events/transaction.ts'
import { type OutgoingName, outgoingSignals, type QueuedName } from './signals.ts'

/** Messages that wait for their channel. The account is what sends them in order, such as a mailbox or a chat. */

export type Phase = 'waiting' | 'ending' | 'uncertain' | 'repeated'

/** A message that this process holds until its lease ends. */
export interface ClaimedMessage {
  project_id: string
  message_id: string
  account_id: string
  claim_id: string
  /** The attempts that have failed. */
  attempts: number
  phase: Phase
}

export interface Account {
  project_id: string
  account_id: string
}

/**
 * Queues a message. It is sent as soon as the transaction commits. A message that is sent again may still have its row
 * if a delivery report arrived first.
 */
export async function queueMessage(
  tx: Tx,
  message: { id: string; channel: QueuedName; account_id: string },
): Promise<void> {
  await tx`
    insert into outgoing_queue (project_id, message_id, channel, account_id)
    values (${tx.projectId}, ${message.id}, ${message.channel}, ${message.account_id})
    on conflict (project_id, message_id) do update set account_id = excluded.account_id, run_at = excluded.run_at, attempts = 0,
      phase = 'waiting', claim_id = null, lease_until = null`
  wakeAccount(tx, message.account_id, message.channel)
}

/** Queues a message for something besides its first sending, such as a change of its text. A message that is queued already stays as it is. */
export async function queueAgain(
  tx: Tx,
  message: { id: string; channel: OutgoingName; account_id: string },
): Promise<void> {
  await tx`
    insert into outgoing_queue (project_id, message_id, channel, account_id)
    values (${tx.projectId}, ${message.id}, ${message.channel}, ${message.account_id})
    on conflict (project_id, message_id) do nothing`
  wakeAccount(tx, message.account_id, message.channel)
}

/** Makes an account due as soon as the transaction commits. */
export function wakeAccount(tx: Tx, accountId: string, channel: QueuedName = 'email'): void {
  if (channel === 'custom') return
  const { kind, notify } = outgoingSignals[channel]
  tx.noteDue(kind, null, accountId)
  tx.afterCommit(() => notify(tx.projectId, accountId))
}

/** The messages of an account that some process is sending. */
export async function countLeased(sql: Sql, { project_id, account_id }: Account): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from outgoing_queue
    where project_id = ${project_id} and account_id = ${account_id} and lease_until > now()`
  return row!.count
}

/** Whether an account has messages, due or not. */
export async function hasQueued(sql: Sql, { project_id, account_id }: Account): Promise<boolean> {
  const { count } = await sql`
    select from outgoing_queue where project_id = ${project_id} and account_id = ${account_id} limit 1`
  return count > 0
}

/** Claims the messages of an account that have been due the longest. The subquery is in an array so that it runs only once. */
export const lockQueued = (
  sql: Sql,
  { project_id, account_id }: Account,
  { channel, limit, leaseMs }: { channel: OutgoingName; limit: number; leaseMs: number },
) => sql<ClaimedMessage[]>`
  update outgoing_queue set claim_id = ${newId()}, lease_until = now() + ${leaseMs}::int * interval '1 ms'
  where project_id = ${project_id} and message_id = any(array(
    select message_id from outgoing_queue
    where project_id = ${project_id} and account_id = ${account_id} and channel = ${channel} and run_at <= now()
      and (lease_until is null or lease_until <= now())
    order by run_at, message_id limit ${limit} for update skip locked))
  returning project_id, message_id, account_id, claim_id, attempts, phase`

const isClaim = (sql: Sql, { message_id, claim_id }: ClaimedMessage): Fragment =>
  sql`message_id = ${message_id} and claim_id = ${claim_id}`

/** Whether this process still holds its claim on the message. */
export async function isClaimed(sql: Sql, claimed: ClaimedMessage): Promise<boolean> {
  const { count } =
    await sql`select from outgoing_queue where project_id = ${claimed.project_id} and ${isClaim(sql, claimed)}`
  return count > 0
}

/**
 * Ends another process's claim on a message, so that the message is claimed again. The caller must hold the lock of the message. Returns
 * false if the message may already have been sent.
 */
export async function releaseQueued(tx: Tx, messageId: string): Promise<boolean> {
  const [row] = await tx<{ account_id: string; channel: OutgoingName }[]>`
    update outgoing_queue set claim_id = null, lease_until = null
    where project_id = ${tx.projectId} and message_id = ${messageId} and phase = 'waiting' returning account_id, channel`
  if (row) wakeAccount(tx, row.account_id, row.channel)
  return row !== undefined
}

/** Extends the lease. */
export const updateLease = (sql: Sql, claimed: ClaimedMessage, leaseMs: number) => sql`
  update outgoing_queue set lease_until = now() + ${leaseMs}::int * interval '1 ms'
  where project_id = ${claimed.project_id} and ${isClaim(sql, claimed)}`

/** Changes the phase of a message that this process holds. Returns false if another process holds it. */
export async function updatePhase(sql: Sql, claimed: ClaimedMessage, phase: Phase): Promise<boolean> {
  const { count } =
    await sql`update outgoing_queue set phase = ${phase} where project_id = ${claimed.project_id} and ${isClaim(sql, claimed)}`
  return count > 0
}

/** Releases a message until its next attempt. Returns false if another process holds it. */
export async function updatePostponed(
  sql: Sql,
  claimed: ClaimedMessage,
  { waitMs, phase, attempts }: { waitMs: number; phase: Phase; attempts: number },
): Promise<boolean> {
  const { count } = await sql`
    update outgoing_queue set run_at = now() + ${waitMs}::float8 * interval '1 ms', phase = ${phase},
      attempts = ${attempts}, claim_id = null, lease_until = null
    where project_id = ${claimed.project_id} and ${isClaim(sql, claimed)}`
  return count > 0
}

/** Releases a message that keeps its place in the order of its account. Returns false if another process holds it. */
export async function updateReleased(
  sql: Sql,
  claimed: ClaimedMessage,
  { phase, attempts }: { phase: Phase; attempts: number },
): Promise<boolean> {
  const { count } = await sql`
    update outgoing_queue set phase = ${phase}, attempts = ${attempts}, claim_id = null, lease_until = null
    where project_id = ${claimed.project_id} and ${isClaim(sql, claimed)}`
  return count > 0
}

/** Removes a message that was sent or has failed. Returns false if another process holds it. */
export async function deleteQueued(sql: Sql, claimed: ClaimedMessage): Promise<boolean> {
  const { count } =
    await sql`delete from outgoing_queue where project_id = ${claimed.project_id} and ${isClaim(sql, claimed)}`
  return count > 0
}

/** Accounts that must not send yet: rows of project_id, account_id and held_until, which is infinite if the end is unknown. */
export type HeldAccounts = (sql: Sql) => Fragment

/** Accounts with waiting messages and when the first one may be sent. Suspended projects send nothing. */
export const waitingAccounts = (
  sql: Sql,
  channel: OutgoingName,
  held: HeldAccounts,
  isAccount: Fragment,
): Fragment =>
  sql`select w.project_id, w.subject_id, greatest(w.due_at, x.held_until) as due_at from (
      select q.project_id, q.account_id as subject_id, min(greatest(q.run_at, q.lease_until)) as due_at
      from outgoing_queue q join projects p on p.id = q.project_id and p.suspended_at is null
      where q.project_id is not null and q.channel = ${channel} and ${isAccount} group by 1, 2) w
    left join (${held(sql)}) x on x.project_id = w.project_id and x.account_id = w.subject_id
    where x.held_until is distinct from 'infinity'`

export const nextOfAccount =
  (channel: OutgoingName, held: HeldAccounts): NextDue =>
  sql =>
    sql`(select n.due_at from (${waitingAccounts(sql, channel, held, sql`q.project_id = h.project_id and q.account_id = h.subject_id`)}) n)`

interface OldestQueued {
  channel: string
  seconds: number
}

/** The age of the oldest waiting message of each channel. */
export const listOldestQueued = (sql: Sql) => sql<OldestQueued[]>`
  select channel, extract(epoch from now() - min(created_at))::float8 as seconds from outgoing_queue
  where project_id is not null group by channel`
