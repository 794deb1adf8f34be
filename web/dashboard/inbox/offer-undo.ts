import { asFailure } from '../core/failure.ts'
import { showFailure, showNotice } from '../core/notice.ts'
import { text } from '../core/text.ts'
import { moment } from '../core/time.ts'
import { showToast, type Toast } from '../core/toasts.ts'
import { findOwnChange } from '../history/queries.ts'
import { undoChange } from '../history/undo-change.ts'
import { findOwnOperatorId } from '../projects/project.ts'
import type { Ticket, TicketChange } from '../tickets/queries.ts'
import { returnTo } from './place.ts'

/** How long the toast offers to undo a change. */
export const undoSeconds = 10

type Words = { [Field in keyof TicketChange]-?: (ticket: Ticket) => string }

/** The first field that a change contains describes it. `snoozed_until` is before `status`, because unsnoozing changes both. */
const words: Partial<Words> = {
  snoozed_until: ({ snoozed_until }) =>
    snoozed_until ? text.undo.snoozed(moment(snoozed_until)) : text.undo.woken,
  status: ({ status }) => text.undo.status(text.inbox.statuses[status]),
  priority: ({ priority }) => text.undo.priority(text.inbox.priorities[priority]),
  tags: () => text.undo.tags,
  operator_id: ({ operator }) => (operator ? text.undo.assigned(operator.name) : text.undo.unassigned),
  subject: () => text.undo.subject,
  is_spam: ({ is_spam }) => (is_spam ? text.undo.spam : text.undo.notSpam),
  custom_fields: () => text.undo.fields,
}

/** Describes a change of a ticket in a few words. */
export function wordTicketChange(change: TicketChange, ticket: Ticket): string {
  const [, word] = Object.entries(words).find(([field]) => field in change) ?? []
  return word?.(ticket) ?? text.undo.other
}

/** Undoes the change that this operator made at this time. */
export async function undoChangeAt(ticket: Ticket, at: string): Promise<void> {
  const { workspace_id: projectId, id } = ticket
  try {
    const change = await findOwnChange(projectId, id, findOwnOperatorId(projectId), at)
    if (!change) return showNotice(text.undo.nothing)
    returnTo(ticket)
    await undoChange(ticket, change.id)
  } catch (thrown) {
    showFailure(asFailure(thrown), text.inbox.number(ticket.short_id))
  }
}

/** Offers to undo the change of a ticket that has just been made, if it had an effect. */
export function offerChangeUndo(before: Ticket, after: Ticket, what: string, more?: Toast['more']): void {
  if (after.updated_at === before.updated_at) return
  showToast({
    id: `changed ${after.id} ${after.updated_at}`,
    message: text.undo.of(after.short_id, what),
    seconds: undoSeconds,
    undo: () => undoChangeAt(after, after.updated_at),
    more,
  })
}
