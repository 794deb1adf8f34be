import type { Sent } from '../messages/composing.ts'
import type { Message } from '../messages/queries.ts'
import { undoSecondsOf } from '../messages/send.ts'
import type { Ticket } from '../tickets/queries.ts'
import { changeQuietly, close, patch } from './change.ts'
import { undoChangeAt } from './offer-undo.ts'
import { leave, leaveWhenDone, returnTo } from './place.ts'

/** What opens after a ticket was answered or closed. */

export function closeAndLeave(ticket: Ticket): Promise<boolean> {
  leaveWhenDone(ticket)
  return close(ticket)
}

export function closeAndOpenNext(ticket: Ticket): Promise<boolean> {
  leave(ticket, 'next')
  return close(ticket)
}

const canBeUndone = (message: Message): boolean => undoSecondsOf(message) > 0

/** The times of the changes that snoozed a ticket, by the message that can still be undone. */
const snoozed = new Map<string, Promise<string | undefined>>()

/** Until a reply is sent, the toast of the reply undoes both. */
function snooze(ticket: Ticket, until: string, message: Message): void {
  const body = { snoozed_until: until }
  const expected = { ...body, status: 'on_hold' } as const
  if (!canBeUndone(message)) void patch(ticket, body, expected)
  else
    snoozed.set(
      message.id,
      changeQuietly(ticket, body, expected).then(after => after?.updated_at),
    )
}

/** Returns whether another ticket or the list was opened. */
export function finishReply(ticket: Ticket, { way, until, message }: Sent): boolean {
  if (way === 'snooze' && until) snooze(ticket, until, message)
  return way === 'next' ? leave(ticket, 'next') : leaveWhenDone(ticket)
}

/** After sending was undone. */
export async function resumeReply(ticket: Ticket, { message }: Sent): Promise<void> {
  returnTo(ticket)
  const at = await snoozed.get(message.id)
  if (at) await undoChangeAt(ticket, at)
}
