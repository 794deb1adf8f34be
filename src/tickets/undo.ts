import type { Sql } from '../core/db/db.ts'
import { timeAfter, toDatabase } from '../core/time.ts'
import type { Tx } from '../events/transaction.ts'
import type { NewReply } from '../messages/schema.ts'
import type { LockedTicket } from './queries.ts'
import { findInboxSettings } from './settings.ts'

/** How long a reply waits, so that it can be undone. */

declare module '../events/log.ts' {
  interface Hooks {
    /** Whether a visitor of the ticket has the chat open. */
    isInChat?: (sql: Sql, projectId: string, ticketId: string) => Promise<boolean>
  }
}

/** The time at which a message is sent that can be undone for so many seconds. */
export const undoUntil = (seconds: number): string | null =>
  seconds > 0 ? toDatabase(timeAfter(seconds * 1_000)) : null

/** The number of seconds that a message waits. */
export async function findUndo(
  tx: Tx,
  ticket: Pick<LockedTicket, 'id' | 'channel'>,
  input: Pick<NewReply, 'undo_seconds' | 'can_undo' | 'is_internal'>,
): Promise<number> {
  if (input.undo_seconds !== undefined) return input.undo_seconds
  if (!input.can_undo || input.is_internal) return 0
  const times: Record<string, number> = (await findInboxSettings(tx, tx.projectId)).undo_seconds
  const seconds = times[ticket.channel] ?? times.other!
  const isAwaited =
    ticket.channel === 'widget' && seconds > 0 && (await tx.hooks?.isInChat?.(tx, tx.projectId, ticket.id))
  return isAwaited ? 0 : seconds
}
