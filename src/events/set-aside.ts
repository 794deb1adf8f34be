import type { Db, Sql } from '../core/db/db.ts'
import { shortenText } from '../core/text/shorten-text.ts'
import { errorOf } from '../core/thrown.ts'
import type { LogReader } from './cursor.ts'
import {
  deleteFailure,
  type FollowedEvent,
  getLogCursor,
  insertFailure,
  listEventsOfTicket,
  listOldFailures,
  type TicketFailure,
} from './cursor-queries.ts'

/** Tickets whose events a reader of the log cannot handle. */

class RolledBack extends Error {}

/** Handles only the events of this ticket, and rolls back. Returns the error; null if there was none. */
async function tryAlone(
  db: Db,
  projectId: string,
  { handle }: LogReader,
  events: readonly FollowedEvent[],
): Promise<unknown> {
  try {
    return await db.begin(async sql => {
      await handle(sql, projectId, events)
      throw new RolledBack()
    })
  } catch (error) {
    return error instanceof RolledBack ? null : error
  }
}

const describe = (error: unknown): string => shortenText(errorOf(error).message, 500).kept

/** Finds the tickets that made a page fail, and counts their failures. If all tickets fail, the tickets are not the cause. */
export async function noteFailures(
  db: Db,
  projectId: string,
  reader: LogReader,
  page: readonly FollowedEvent[],
): Promise<void> {
  const tickets = Map.groupBy(page, ({ ticket_id }) => ticket_id)
  const failed: TicketFailure[] = []
  for (const [ticket_id, events] of tickets) {
    const error = ticket_id === null ? null : await tryAlone(db, projectId, reader, events)
    if (ticket_id !== null && error !== null)
      failed.push({ ticket_id, seq: events[0]!.seq, error: describe(error) })
  }
  if (failed.length > 1 && failed.length === tickets.size) return
  for (const failure of failed) await insertFailure(db, projectId, reader.name, failure)
}

async function readAgain(sql: Sql, projectId: string, reader: LogReader, ticketId: string, from: number) {
  const [cursor] = await getLogCursor(sql, projectId, reader.name)
  const events = await listEventsOfTicket(sql, projectId, ticketId, { from, to: cursor!.seq })
  await reader.handle(sql, projectId, events)
  await deleteFailure(sql, projectId, reader.name, ticketId)
}

/** Handles the events of tickets that were set aside again, as far as they are still in the log. Returns how many it succeeded with. */
export async function retryTickets(db: Db, reader: LogReader): Promise<number> {
  let count = 0
  for (const { project_id, ticket_id, seq } of await listOldFailures(db, reader.name)) {
    try {
      await db.begin(sql => readAgain(sql, project_id, reader, ticket_id, seq))
      count++
    } catch (error) {
      await insertFailure(db, project_id, reader.name, { ticket_id, seq, error: describe(error) })
    }
  }
  return count
}
