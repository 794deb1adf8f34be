import type { Db } from '../core/db.ts'
import { now, toDatabase } from '../core/time.ts'
import { type Tx, transact } from '../events/transaction.ts'
import { closeLocked } from './close.ts'
import { lockTicket, updateTicket } from './queries.ts'
import type { Status } from './status.ts'

/** Moves that nobody asks for: time has come. Each ticket is looked at again under its lock. */

interface Due {
  project_id: string
  id: string
}

const findAwake = (db: Db, limit: number) => db<Due[]>`
  select project_id, id from tickets where snoozed_until <= now() order by snoozed_until limit ${limit}`

const findForgotten = (db: Db, limit: number) => db<Due[]>`
  select t.project_id, t.id from projects p
  join tickets t on t.project_id = p.id and t.status = 'pending'
  join ticket_activity a on a.project_id = t.project_id and a.ticket_id = t.id
  where p.auto_close_days is not null
    and coalesce(a.last_message_at, t.created_at) < now() - p.auto_close_days * interval '1 day' limit ${limit}`

const emitMove = (tx: Tx, id: string, from: Status, to: Status, cause: string): void =>
  tx.emit({ type: 'ticket.updated', data: { ticket_id: id, status: to, previous_status: from, cause } })

async function wake(tx: Tx, id: string): Promise<void> {
  const ticket = await lockTicket(tx, tx.projectId, id)
  if (!ticket?.snoozed_until || ticket.snoozed_until > now()) return
  await updateTicket(tx, tx.projectId, id, { status: 'open', snoozed_until: null }, toDatabase(now()))
  emitMove(tx, id, ticket.status, 'open', 'snooze_ended')
}

async function closeForgotten(tx: Tx, id: string): Promise<void> {
  const ticket = await lockTicket(tx, tx.projectId, id)
  if (ticket?.status !== 'pending') return
  emitMove(tx, id, ticket.status, 'closed', 'auto_close')
  await closeLocked(tx, ticket, { type: 'system', id: null }, 'Closed: no answer from the contact')
}

export async function wakeTickets(db: Db, limit = 100): Promise<number> {
  const due = await findAwake(db, limit)
  for (const { project_id, id } of due) await transact(db, project_id, tx => wake(tx, id))
  return due.length
}

export async function closeForgottenTickets(db: Db, limit = 100): Promise<number> {
  const due = await findForgotten(db, limit)
  for (const { project_id, id } of due) await transact(db, project_id, tx => closeForgotten(tx, id))
  return due.length
}
