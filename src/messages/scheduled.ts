import type { Db, Sql } from '../core/db.ts'
import { now, toDatabase } from '../core/time.ts'
import { type Tx, transact } from '../events/transaction.ts'
import { type Draft, lockMessage } from './queries.ts'
import { messageCreated, moveActivity } from './write.ts'

const findDue = (db: Db, limit: number) => db<{ project_id: string; id: string }[]>`
  select project_id, id from messages
  where delivery_status = 'scheduled' and send_at <= now() order by send_at limit ${limit}`

/** Its time has come: only now does the message exist for its ticket, and for readers of the log. */
async function sendScheduled(tx: Tx, id: string): Promise<void> {
  const row = await lockMessage(tx, tx.projectId, id)
  if (row?.delivery_status !== 'scheduled') return
  const sent: Draft = { ...row, created_at: now() }
  const sql: Sql = tx
  await sql`
    with sent as (
      update messages set delivery_status = 'sent', created_at = ${toDatabase(sent.created_at)},
        delivery_updated_at = ${toDatabase(sent.created_at)}
      where project_id = ${tx.projectId} and id = ${id} returning ticket_id
    ) update ticket_activity a set ${moveActivity(sql, sent)} from sent
      where a.project_id = ${tx.projectId} and a.ticket_id = sent.ticket_id`
  tx.emit(messageCreated(sent))
}

/** Sends the messages that are due; answers how many there were. */
export async function sendDueMessages(db: Db, limit = 100): Promise<number> {
  const due = await findDue(db, limit)
  for (const { project_id, id } of due) await transact(db, project_id, tx => sendScheduled(tx, id))
  return due.length
}
