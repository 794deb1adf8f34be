import type { Db } from '../core/db/db.ts'
import type { WaitingWork } from '../core/due/due-work.ts'
import { type DueAction, runDueActions } from '../events/due-actions.ts'
import { changedBySystem } from '../events/ticket-history.ts'
import type { Tx } from '../events/transaction.ts'
import { closeLocked } from './close.ts'
import { getLocked } from './find.ts'
import { updateTicket } from './queries.ts'
import { emitMove } from './status.ts'

/** Changes caused by time. The database's clock decides, and is checked again when the ticket is locked. */

export const waitingSnoozes: WaitingWork = sql =>
  sql`select project_id, snoozed_until as due_at from tickets where snoozed_until is not null`

const findAwake = (db: Db, projectId: string, limit: number) => db<DueAction[]>`
  select project_id, id from tickets
  where project_id = ${projectId} and snoozed_until <= now() order by snoozed_until limit ${limit}`

const lockAwake = (tx: Tx, id: string) => tx`
  select from tickets where project_id = ${tx.projectId} and id = ${id} and snoozed_until <= now()
  for no key update`

const findForgotten = (db: Db, limit: number) => db<DueAction[]>`
  select a.project_id, a.ticket_id as id from projects p
  join ticket_activity a on a.project_id = p.id and a.status = 'pending'
  where p.auto_close_days is not null
    and coalesce(a.last_message_at, a.created_at) < now() - p.auto_close_days * interval '1 day' limit ${limit}`

const lockForgotten = (tx: Tx, id: string) => tx`
  select from tickets t
  join projects p on p.id = t.project_id
  join ticket_activity a on a.project_id = t.project_id and a.ticket_id = t.id
  where t.project_id = ${tx.projectId} and t.id = ${id} and t.status = 'pending'
    and coalesce(a.last_message_at, t.created_at) < now() - p.auto_close_days * interval '1 day'
  for no key update of t, a`

async function wake(tx: Tx, id: string): Promise<boolean> {
  if ((await lockAwake(tx, id)).count === 0) return false
  const { status } = await getLocked(tx, id)
  await updateTicket(tx, changedBySystem, id, { status: 'open', snoozed_until: null })
  emitMove(tx, id, status, 'open', 'snooze_ended')
  return true
}

async function closeForgotten(tx: Tx, id: string): Promise<boolean> {
  if ((await lockForgotten(tx, id)).count === 0) return false
  const ticket = await getLocked(tx, id)
  emitMove(tx, id, ticket.status, 'closed', 'auto_close')
  await closeLocked(tx, ticket, changedBySystem, { reason: 'no_answer' })
  return true
}

export const wakeTickets = async (db: Db, projectId: string, limit = 100): Promise<number> =>
  runDueActions(db, await findAwake(db, projectId, limit), wake)

export const closeForgottenTickets = async (db: Db, limit = 100): Promise<number> =>
  runDueActions(db, await findForgotten(db, limit), closeForgotten)
