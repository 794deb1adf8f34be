import { anyId, type Sql } from '../core/db/db.ts'
import type { SearchedMessage } from '../messages/messages.ts'
import { type LockedDeletion, mergedTickets } from './queries.ts'

/** Statements that delete tickets and messages. */

/** A message, with what the search knows of it. */
export type DeletedMessage = SearchedMessage & { id: string }

export interface DeletedTicket {
  id: string
  subject: string
  custom_fields: Record<string, unknown>
}

/** The tickets of the contacts, or the ticket with those that were merged into it, which come first. */
export const listTicketsToDelete = (
  sql: Sql,
  projectId: string,
  { kind, record_id }: LockedDeletion,
  contactIds: string[],
  limit: number,
) =>
  kind === 'contact'
    ? sql<DeletedTicket[]>`
      select id, subject, custom_fields from tickets
      where project_id = ${projectId} and contact_id = ${anyId(sql, contactIds)} order by id limit ${limit}`
    : sql<DeletedTicket[]>`
      ${mergedTickets(sql, projectId, [record_id])}
      select t.id, t.subject, t.custom_fields from merged m
      join tickets t on t.project_id = ${projectId} and t.id = m.id order by m.depth desc, t.id limit ${limit}`

export const listMessagesToDelete = (sql: Sql, projectId: string, ticketIds: string[], limit: number) => sql<
  DeletedMessage[]
>`
  select id, content, content_format from messages
  where project_id = ${projectId} and ticket_id = ${anyId(sql, ticketIds)} limit ${limit}`

/** The emails from which messages were made, and reports about the delivery of messages. */
export async function deleteMailsOfMessages(
  sql: Sql,
  projectId: string,
  messageIds: string[],
): Promise<number> {
  const { count } = await sql`
    delete from incoming_mails where project_id = ${projectId}
      and (message_id = ${anyId(sql, messageIds)} or reported_message_id = ${anyId(sql, messageIds)})`
  return count
}

/** Emails that belong to tickets without being a message of theirs, such as bounces and duplicates. */
export async function deleteMailsOfTickets(
  sql: Sql,
  projectId: string,
  ticketIds: string[],
): Promise<number> {
  const { count } = await sql`
    delete from incoming_mails where project_id = ${projectId} and ticket_id = ${anyId(sql, ticketIds)}`
  return count
}

/** Clears the contents of handled updates. Their rows show for three days which updates have arrived. */
export const updateTelegramContents = (sql: Sql, projectId: string, messageIds: string[]) => sql`
  update telegram_updates set content = '{}', last_error = null
  where project_id = ${projectId} and state = 'done' and chat_id in (
    select t.chat_id from telegram_messages t where t.project_id = ${projectId} and t.message_id = ${anyId(sql, messageIds)})`

/** Files that drafts in the tickets contain. */
export async function deleteDraftMedia(sql: Sql, projectId: string, ticketIds: string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    delete from media where project_id = ${projectId} and message_id is null and id in (
      select unnest(d.media_ids) from drafts d where d.project_id = ${projectId} and d.ticket_id = ${anyId(sql, ticketIds)})
    returning id`
  return rows.map(({ id }) => id)
}

export const deleteImportedRecords = (sql: Sql, projectId: string, ids: string[]) => sql`
  delete from imported_records where project_id = ${projectId} and record_id = ${anyId(sql, ids)}`

export const deleteDemoRecordsOf = (sql: Sql, projectId: string, ids: string[]) => sql`
  delete from demo_records where project_id = ${projectId} and record_id = ${anyId(sql, ids)}`
