import { api, take } from '../core/api.ts'
import { asFailure } from '../core/failure.ts'
import { showFailure, showNotice } from '../core/notice.ts'
import { queryClient } from '../core/query.ts'
import { text } from '../core/text.ts'
import { showToast } from '../core/toasts.ts'
import type { Message } from '../messages/queries.ts'
import { messageKeys } from '../messages/query-keys.ts'
import { refreshTickets } from '../tickets/cache.ts'
import type { Ticket } from '../tickets/queries.ts'
import { ticketKeys } from '../tickets/query-keys.ts'
import { leaveAfterChange } from './place.ts'

const pathOf = ({ workspace_id, id }: Ticket) => ({ project_id: workspace_id, ticket_id: id })

/** Both tickets and their conversations have changed. */
export const refreshMerged = ({ workspace_id: projectId }: Pick<Ticket, 'workspace_id'>) =>
  Promise.all([
    refreshTickets(projectId),
    queryClient.invalidateQueries({ queryKey: ticketKeys.tickets(projectId) }),
    queryClient.invalidateQueries({ queryKey: messageKeys.conversations(projectId) }),
  ])

export type Open = (number: string) => unknown

/** Opens the target, and offers to undo the merge. */
export async function mergeInto(source: Ticket, into: Ticket, open: Open): Promise<void> {
  const body = { into_ticket_id: into.id, force: into.contact_id !== source.contact_id }
  const address = '/projects/{project_id}/tickets/{ticket_id}/merge'
  try {
    await take(api.POST(address, { params: { path: pathOf(source) }, body }))
  } catch (failure) {
    return showFailure(asFailure(failure))
  }
  if (!leaveAfterChange(source)) void open(into.short_id)
  showToast({
    id: `merged ${source.id}`,
    message: text.actions.merged(into.short_id),
    seconds: 20,
    undo: () => unmerge(source, open),
  })
  await refreshMerged(source)
}

export async function unmerge(source: Ticket, open: Open): Promise<void> {
  const address = '/projects/{project_id}/tickets/{ticket_id}/unmerge'
  try {
    await take(api.POST(address, { params: { path: pathOf(source) } }))
    showNotice(text.actions.unmerged)
    void open(source.short_id)
  } catch (failure) {
    showFailure(asFailure(failure))
  }
  await refreshMerged(source)
}

/** Moves a message to a ticket of its own, and opens it. */
export async function splitOff(message: Message, with_later: boolean, open: Open): Promise<void> {
  const path = { project_id: message.workspace_id, message_id: message.id }
  try {
    const made = await take(
      api.POST('/projects/{project_id}/messages/{message_id}/split', {
        params: { path },
        body: { with_later },
      }),
    )
    showNotice(text.actions.splitDone(made.short_id))
    void open(made.short_id)
    await refreshMerged(made)
  } catch (failure) {
    showFailure(asFailure(failure))
  }
}

/** Moves the messages to a new ticket, and opens it. */
export async function split(
  source: Ticket,
  message_ids: string[],
  subject: string,
  open: Open,
): Promise<void> {
  const address = '/projects/{project_id}/tickets/{ticket_id}/split'
  const body = { message_ids, subject: subject || null }
  const made = await take(api.POST(address, { params: { path: pathOf(source) }, body }))
  showNotice(text.actions.splitDone(made.short_id))
  void open(made.short_id)
  await refreshMerged(source)
}
