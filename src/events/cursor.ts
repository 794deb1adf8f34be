import type { Db, Sql } from '../core/db/db.ts'
import type { DueJob } from '../core/due/due-loop.ts'
import type { DueKind } from '../core/due/due-work.ts'
import {
  type FollowedEvent,
  insertLogCursor,
  listEventsAfter,
  listSetAside,
  lockLogCursor,
  unreadProjectsOf,
  updateLogCursor,
} from './cursor-queries.ts'
import { noteFailures } from './set-aside.ts'

/** Readers of the log that handle each event once: what they write and their cursor are committed together (decision 75). */
export interface LogReader {
  name: Extract<DueKind, 'facts'>
  /** Handles events of a project in the order of their numbers. It may only write to the database, in this transaction. */
  handle(sql: Sql, projectId: string, events: readonly FollowedEvent[]): Promise<void>
}

/** How many events are handled in one transaction. */
const pageSize = 500

/** Thrown to roll back a page that failed, together with what was on it. */
class PageFailure extends Error {
  readonly events: readonly FollowedEvent[]

  constructor(events: readonly FollowedEvent[], cause: unknown) {
    super('A reader of the log could not handle a page', { cause })
    this.events = events
  }
}

async function processPage(sql: Sql, projectId: string, reader: LogReader, seq: number): Promise<number> {
  const page = await listEventsAfter(sql, projectId, seq, pageSize)
  const last = page.at(-1)
  if (!last) return 0
  const setAside = await listSetAside(sql, projectId, reader.name)
  const events = page.filter(({ ticket_id }) => ticket_id === null || !setAside.has(ticket_id))
  try {
    await reader.handle(sql, projectId, events)
  } catch (error) {
    throw new PageFailure(events, error)
  }
  await updateLogCursor(sql, projectId, reader.name, last.seq)
  return page.length
}

/**
 * Reads the next page of a project, unless another process is reading. Returns how many events it had if there may be more: a page
 * that is not full ends the run, so that events are collected while many are written.
 */
export async function readLogPage(db: Db, projectId: string, reader: LogReader): Promise<number> {
  try {
    const count = await db.begin(async sql => {
      const seq =
        (await lockLogCursor(sql, projectId, reader.name)) ??
        (await insertLogCursor(sql, projectId, reader.name))
      return seq === null ? 0 : processPage(sql, projectId, reader, seq)
    })
    return count < pageSize ? 0 : count
  } catch (error) {
    if (!(error instanceof PageFailure)) throw error
    await noteFailures(db, projectId, reader, error.events)
    throw error.cause
  }
}

export const createReaderJob = (reader: LogReader): DueJob => ({
  name: `read the log for ${reader.name}`,
  kind: reader.name,
  waiting: sql => unreadProjectsOf(sql, reader.name),
  run: (db, projectId) => readLogPage(db, projectId, reader),
})
