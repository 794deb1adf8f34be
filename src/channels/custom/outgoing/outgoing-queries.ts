import type { Sql } from '../../../core/db/db.ts'

/** Statements about the messages that a program sends. */

/** Locks the messages that wait for the program, except those whose delivery has just been reported. */
export async function lockWaiting(sql: Sql, projectId: string, channelId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select m.id from outgoing_queue q join messages m on m.project_id = ${projectId} and m.id = q.message_id
    where q.project_id = ${projectId} and q.account_id = ${channelId} and m.delivery_status = 'pending'
    order by m.id for no key update of m`
  return rows.map(({ id }) => id)
}

export interface WaitingRow {
  message_id: string
  contact_id: string
  full_name: string | null
  contact_external_id: string
  reply_to_external_id: string | null
}

/** The oldest waiting messages, in the order in which they became visible. */
export const listWaitingRows = (sql: Sql, projectId: string, channelId: string, limit: number) => sql<
  WaitingRow[]
>`
  select q.message_id, k.id as contact_id, k.full_name, s.contact_external_id, r.external_id as reply_to_external_id
  from outgoing_queue q
    join custom_messages s on s.project_id = ${projectId} and s.message_id = q.message_id
    join messages m on m.project_id = ${projectId} and m.id = q.message_id
    join tickets t on t.project_id = ${projectId} and t.id = m.ticket_id
    join contacts k on k.project_id = ${projectId} and k.id = t.contact_id
    left join custom_messages r on r.project_id = ${projectId} and r.message_id = m.reply_to_id and r.channel_id = ${channelId}
  where q.project_id = ${projectId} and q.account_id = ${channelId}
  order by q.run_at, q.message_id limit ${limit}`

export const deleteWaiting = (sql: Sql, projectId: string, messageId: string) => sql`
  delete from outgoing_queue where project_id = ${projectId} and message_id = ${messageId} and channel = 'custom'`
