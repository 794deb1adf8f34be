import type { Fragment } from '../core/db/db.ts'
import type { WaitingWork } from '../core/due/due-work.ts'
import type { Tx } from '../events/transaction.ts'

/**
 * Records notices for operators. The email channel sends them by email unless the operators see them in the dashboard first, and
 * `notifications` shows them in the operators' browsers.
 */

export type NoticeKind = 'assigned' | 'mentioned' | 'waiting'
export type PushKind = NoticeKind | 'unassigned'

interface Notice<Kind = NoticeKind> {
  kind: Kind
  ticketId: string
  /** Null if the notice is about the ticket. */
  messageId: string | null
}

/** Notices that are recorded within this time become one email, without those that the operator has already seen in the dashboard. */
const noticeDelay = '1 minute'

/** The setting that turns the notifications in browsers on. */
const pushSettings: Record<PushKind, string> = {
  assigned: 'mine',
  waiting: 'mine',
  mentioned: 'mentions',
  unassigned: 'unassigned',
}

/** A row for each browser of these operators: `people` has the columns id, user_id and choice. */
const insertPushes = (tx: Tx, { kind, ticketId, messageId }: Notice<PushKind>): Fragment => tx`
  insert into operator_pushes (project_id, operator_id, device_id, ticket_id, kind, message_id, due_at)
  select ${tx.projectId}, p.id, d.id, ${ticketId}, ${kind}, ${messageId}, now()
  from people p join push_devices d on d.user_id = p.user_id
  where coalesce(p.choice->>${pushSettings[kind]}::text, ${String(kind !== 'unassigned')}) = 'true'
  returning due_at`

/** Leaves out operators who have left, have no account yet, or have turned these notices off. */
export async function noteForOperators(tx: Tx, notice: Notice, operatorIds: string[]): Promise<void> {
  if (operatorIds.length === 0) return
  const { kind, ticketId, messageId } = notice
  const [noted] = await tx<{ notices: string | null; pushes: string | null }[]>`
    with people as (
      select o.id, o.user_id, u.settings->'notifications' as choice from operators o join users u on u.id = o.user_id
      where o.project_id = ${tx.projectId} and o.id = any(${operatorIds}::uuid[]) and o.removed_at is null
    ), noted as (
      insert into operator_notices (project_id, operator_id, ticket_id, kind, message_id, due_at)
      select ${tx.projectId}, id, ${ticketId}, ${kind}, ${messageId}, now() + ${noticeDelay}::text::interval
      from people where choice->${`${kind}_by_email`}::text is distinct from 'false'
      returning due_at
    ), pushed as (${insertPushes(tx, notice)})
    select (select min(due_at)::text from noted) as notices, (select min(due_at)::text from pushed) as pushes`
  if (noted!.notices) tx.noteDue('notices', noted!.notices)
  if (noted!.pushes) tx.noteDue('pushes', noted!.pushes)
}

interface UnassignedTicket {
  id: string
  department_id?: string | null | undefined
}

/**
 * Notifies the browsers of operators who take tickets of this department, and of all operators for a ticket without a department.
 * Operators without a department take tickets of all departments.
 */
export async function noteUnassigned(
  tx: Tx,
  { id, department_id = null }: UnassignedTicket,
  actorId: string,
): Promise<void> {
  const own = tx`
    select from department_operators d where d.project_id = ${tx.projectId} and d.operator_id = o.id`
  const [noted] = await tx<{ due_at: string }[]>`
    with people as (
      select o.id, o.user_id, u.settings->'notifications' as choice from operators o join users u on u.id = o.user_id
      where o.project_id = ${tx.projectId} and o.removed_at is null and o.id::text <> ${actorId}
        and (${department_id}::uuid is null or exists (${own} and d.department_id = ${department_id}) or not exists (${own}))
    ), pushed as (${insertPushes(tx, { kind: 'unassigned', ticketId: id, messageId: null })})
    select min(due_at)::text as due_at from pushed having count(*) > 0`
  if (noted) tx.noteDue('pushes', noted.due_at)
}

export const waitingNotices: WaitingWork = sql => sql`select project_id, due_at from operator_notices`

export const waitingPushes: WaitingWork = sql => sql`select project_id, due_at from operator_pushes`
