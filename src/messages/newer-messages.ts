import type { Sql } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { refuse } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { lockActivities } from '../events/activity.ts'
import type { Tx } from '../events/transaction.ts'
import { toMessage } from './find.ts'
import { findMessage, findMessageIds, listMessages } from './queries.ts'
import type { Message, NewMessage } from './schema.ts'
import { maxUndoSeconds } from './undo.ts'

/** More messages than anybody reads before replying. */
const maxNewerMessages = 20

/** Messages that others have written in a ticket since a given one, or are about to send, oldest first. */
export async function listNewer(
  sql: Sql,
  { project, actor }: Caller,
  ticketId: string,
  lastSeenId: string | null | undefined,
): Promise<Message[]> {
  if (lastSeenId === undefined || lastSeenId === null) return []
  const seen = isId(lastSeenId) ? await findMessage(sql, project.id, lastSeenId) : null
  if (!seen) throw refuse('last_seen_message_id', 'not_found')
  const where = sql`m.project_id = ${project.id} and m.ticket_id = ${ticketId}
    and m.sender_type <> 'system' and m.sender_id is distinct from ${actor.id}
    and m.key_id is distinct from ${actor.id}
    and case m.delivery_status when 'scheduled' then m.send_at <= now() + ${maxUndoSeconds}::int * interval '1 s'
      else (m.created_at, m.id) > (${`${seen.created_at}Z`}::timestamptz, ${seen.id}::uuid) end`
  const found = await findMessageIds(
    sql,
    where,
    sql`m.created_at`,
    sql`order by m.created_at, m.id limit ${maxNewerMessages}`,
  )
  const rows = await listMessages(
    sql,
    project.id,
    found.map(({ id }) => id),
  )
  const byId = new Map(rows.map(row => [row.id, toMessage(row)]))
  return found.flatMap(({ id }) => byId.get(id) ?? [])
}

/** Locks the activity first, so that nobody can post to the ticket between this check and the transaction's own message. */
export async function lockAndListNewer(
  tx: Tx,
  caller: Caller,
  ticketId: string,
  lastSeenId: string | null | undefined,
): Promise<Message[]> {
  await lockActivities(tx, tx.projectId, [ticketId])
  return listNewer(tx, caller, ticketId, lastSeenId)
}

/** With `unless_newer`, refuses the message if others have written since. */
export async function requireNoNewerMessage(
  tx: Tx,
  caller: Caller,
  ticketId: string,
  { unless_newer, last_seen_message_id }: NewMessage,
): Promise<void> {
  if (!unless_newer) return
  if (!last_seen_message_id) throw refuse('last_seen_message_id', 'required')
  const newer = await lockAndListNewer(tx, caller, ticketId, last_seen_message_id)
  if (newer.length)
    throw refuse('last_seen_message_id', 'newer_messages', { message_ids: newer.map(({ id }) => id) })
}
