import type { WaitingWork } from '../core/due/due-work.ts'
import type { Tx } from '../events/transaction.ts'

/** Records notices for operators, which the email channel sends unless the operators see them in the dashboard first. */

export type NoticeKind = 'assigned' | 'mentioned' | 'waiting'

interface Notice {
  kind: NoticeKind
  ticketId: string
  /** Null if the notice is about the ticket. */
  messageId: string | null
}

/** Notices that are recorded within this time become one email, without those that the operator has already seen in the dashboard. */
const noticeDelay = '1 minute'

/** Leaves out operators who have left, have no account yet, or have turned these emails off. */
export async function noteForOperators(
  tx: Tx,
  { kind, ticketId, messageId }: Notice,
  operatorIds: string[],
): Promise<void> {
  if (operatorIds.length === 0) return
  const [noted] = await tx<{ due_at: string }[]>`
    insert into operator_notices (project_id, operator_id, ticket_id, kind, message_id, due_at)
    select ${tx.projectId}, o.id, ${ticketId}, ${kind}, ${messageId}, now() + ${noticeDelay}::text::interval
    from operators o join users u on u.id = o.user_id
    where o.project_id = ${tx.projectId} and o.id = any(${operatorIds}::uuid[]) and o.removed_at is null
      and u.settings->'notifications'->${`${kind}_by_email`}::text is distinct from 'false'
    returning due_at::text`
  if (noted) tx.noteDue('notices', noted.due_at)
}

export const waitingNotices: WaitingWork = sql => sql`select project_id, due_at from operator_notices`
