import type { Db, Sql } from '../core/db.ts'
import { now, toDatabase } from '../core/time.ts'
import { actOnDue, type Due } from '../events/due.ts'
import type { Tx } from '../events/transaction.ts'
import { type Draft, lockMessage } from './queries.ts'
import { messageCreated, moveActivity } from './write.ts'

const findDue = (db: Db, limit: number) => db<Due[]>`
  select project_id, id from messages
  where delivery_status = 'scheduled' and send_at <= now() order by send_at limit ${limit}`

/** Its time has come: only now does the message exist for its ticket, and for readers of the log. */
async function sendScheduled(tx: Tx, id: string): Promise<boolean> {
  const row = await lockMessage(tx, tx.projectId, id)
  if (row?.delivery_status !== 'scheduled') return false
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
  return true
}

/** Sends the messages that are due; answers how many there were. */
export const sendDueMessages = async (db: Db, limit = 100): Promise<number> =>
  actOnDue(db, await findDue(db, limit), sendScheduled)
