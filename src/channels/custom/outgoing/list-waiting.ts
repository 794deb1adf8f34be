import type { Sql } from '../../../core/db/db.ts'
import { listGivenMessages } from '../../../messages/messages.ts'
import type { WaitingMessage } from '../schema.ts'
import { listWaitingRows } from './outgoing-queries.ts'

/** The messages that wait for the program of a channel, oldest first. */
export async function listWaiting(
  sql: Sql,
  projectId: string,
  channelId: string,
  limit: number,
): Promise<WaitingMessage[]> {
  const rows = await listWaitingRows(sql, projectId, channelId, limit)
  const ids = rows.map(({ message_id }) => message_id)
  const messages = new Map((await listGivenMessages(sql, projectId, ids)).map(one => [one.id, one]))
  return rows.flatMap(({ message_id, contact_id, full_name, contact_external_id, reply_to_external_id }) => {
    const message = messages.get(message_id)
    const contact = { id: contact_id, external_id: contact_external_id, full_name }
    return message ? [{ message, contact, reply_to_external_id }] : []
  })
}
