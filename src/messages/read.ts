import type { Fragment, Sql } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { toDatabase } from '../core/time.ts'
import { notifyRead } from '../events/notifier.ts'
import { type DbOrTx, type Tx, transact } from '../events/transaction.ts'
import { noteForOperators } from '../operators/operators.ts'
import { getTicketId } from './find.ts'
import type { MessageDraft } from './queries.ts'
import type { ReadMark } from './schema.ts'

/** How far people have read, and who is mentioned in notes. */

/** Marks the ticket as read by the writer of a message. */
export const markRead = (
  sql: Sql,
  projectId: string,
  { ticket_id, sender_id, created_at }: Pick<MessageDraft, 'ticket_id' | 'sender_id' | 'created_at'>,
  happened: Fragment,
): Fragment =>
  sql`
    insert into ticket_reads as r (project_id, ticket_id, operator_id, last_read_message_at)
    select ${projectId}::uuid, ${ticket_id}::uuid, ${sender_id}::uuid, ${toDatabase(created_at)}::timestamptz
    where exists (${happened})
    on conflict (project_id, ticket_id, operator_id) do update
      set last_read_message_at = greatest(r.last_read_message_at, excluded.last_read_message_at)`

/** A CTE after `message`. */
export const insertMentions = (sql: Sql, projectId: string, { id, mentions }: MessageDraft): Fragment =>
  sql`, mention as (
      insert into mentions (project_id, message_id, operator_id)
      select ${projectId}::uuid, ${id}::uuid, operator_id from unnest(${mentions}::uuid[]) as m (operator_id)
      where exists (select from message))`

export const listMentioned = async (tx: Tx, messageId: string): Promise<string[]> => {
  const rows = await tx<{ operator_id: string }[]>`
    select operator_id from mentions where project_id = ${tx.projectId} and message_id = ${messageId}`
  return rows.map(row => row.operator_id)
}

/** Notifies the operators who are mentioned in a note that has become visible. */
export const noteMentions = (tx: Tx, { id, ticket_id, mentions }: MessageDraft): Promise<void> =>
  noteForOperators(tx, { kind: 'mentioned', ticketId: ticket_id, messageId: id }, mentions)

/** Sets how far the ticket was read: until now, or until a given time. The mark goes back only with `goesBack`. */
async function setMark(
  sql: Sql,
  projectId: string,
  ticketId: string,
  operatorId: string,
  goesBack: boolean,
): Promise<ReadMark> {
  const until = goesBack
    ? sql`a.last_message_at - interval '1 microsecond'`
    : sql`greatest(a.last_message_at, old.last_read_message_at)`
  const [row] = await sql<ReadMark[]>`
    with old as (
      select last_read_message_at from ticket_reads
      where project_id = ${projectId} and ticket_id = ${ticketId} and operator_id = ${operatorId} for update
    ), mark as (
      select ${until} as at from ticket_activity a left join old on true
      where a.project_id = ${projectId} and a.ticket_id = ${ticketId}
    ), written as (
      insert into ticket_reads as r (project_id, ticket_id, operator_id, last_read_message_at)
      select ${projectId}, ${ticketId}, ${operatorId}, at from mark where at is not null
      on conflict (project_id, ticket_id, operator_id) do update set last_read_message_at =
        case when ${goesBack} then excluded.last_read_message_at
          else greatest(r.last_read_message_at, excluded.last_read_message_at) end
    )
    select at as last_read_message_at, (select last_read_message_at from old) as previous_read_message_at from mark`
  return row!
}

/** Marks mentions in sent messages of the ticket as read. */
const readMentions = (sql: Sql, projectId: string, ticketId: string, operatorId: string) => sql`
  update mentions x set read_at = now() from messages m
  where x.project_id = ${projectId} and x.operator_id = ${operatorId} and x.read_at is null
    and m.project_id = x.project_id and m.id = x.message_id and m.ticket_id = ${ticketId}
    and m.delivery_status <> 'scheduled'`

/** Marks all messages of the ticket as read. */
export async function readTicket(store: DbOrTx, caller: Caller, reference: string): Promise<ReadMark> {
  const { project, actor } = caller
  const ticketId = await getTicketId(store, project.id, reference)
  const mark = await transact(store, project.id, async tx => {
    await readMentions(tx, project.id, ticketId, actor.id)
    return setMark(tx, project.id, ticketId, actor.id, false)
  })
  if (mark.last_read_message_at !== mark.previous_read_message_at) notifyRead(project.id, ticketId)
  return mark
}

/** Marks the last message as unread. */
export async function unreadTicket(store: DbOrTx, caller: Caller, reference: string): Promise<ReadMark> {
  const { project, actor } = caller
  const ticketId = await getTicketId(store, project.id, reference)
  return setMark(store, project.id, ticketId, actor.id, true)
}

/** Marks the last message as unread for a person, because something happened that they should see. */
export async function alertReader(tx: Tx, ticketId: string, operatorId: string): Promise<void> {
  const { projectId } = tx
  const { count } = await tx`
    update ticket_reads r
    set last_read_message_at = least(r.last_read_message_at, a.last_message_at - interval '1 microsecond')
    from ticket_activity a
    where r.project_id = ${projectId} and r.ticket_id = ${ticketId} and r.operator_id = ${operatorId}
      and a.project_id = ${projectId} and a.ticket_id = ${ticketId}`
  if (count) tx.afterCommit(() => notifyRead(projectId, ticketId))
}
