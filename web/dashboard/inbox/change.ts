import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { asFailure } from '../core/failure.ts'
import { showFailure, showNotice } from '../core/notice.ts'
import { queryClient } from '../core/query.ts'
import { createSequence } from '../core/sequential.ts'
import { text } from '../core/text.ts'
import type { Toast } from '../core/toasts.ts'
import { loadNewer } from '../messages/queries.ts'
import { patchTicket, refreshTickets, repeatTicketRequest } from '../tickets/cache.ts'
import type { Ticket, TicketChange } from '../tickets/queries.ts'
import { ticketKeys } from '../tickets/query-keys.ts'
import { offerChangeUndo, wordTicketChange } from './offer-undo.ts'
import { recordOwnChange } from './place.ts'

/** Changes of one ticket: shown at once, and rolled back if the server rejects them. */

const pathOf = ({ workspace_id, id }: Ticket) => ({ project_id: workspace_id, ticket_id: id })

/** Sends the changes of one ticket one after another, in the order in which they were made. */
const inTurn = createSequence()

/** The ticket's values of the fields that are about to change. */
const pick = (ticket: Ticket, expected: Partial<Ticket>): Partial<Ticket> =>
  Object.fromEntries(Object.keys(expected).map(name => [name, ticket[name as keyof Ticket]]))

/** Stores the response in every list. Returns null if the change failed, after showing the error. */
async function change<Answer extends Partial<Ticket>>(
  ticket: Ticket,
  expected: Partial<Ticket>,
  ask: () => Promise<Answer>,
): Promise<Answer | null> {
  const { workspace_id: projectId, id } = ticket
  patchTicket(projectId, id, expected)
  try {
    const answer = await inTurn(id, ask)
    patchTicket(projectId, id, answer)
    return answer
  } catch (thrown) {
    patchTicket(projectId, id, pick(ticket, expected))
    // The cause is often a change by somebody else.
    void queryClient.invalidateQueries({ queryKey: ticketKeys.ticket(projectId, ticket.short_id) })
    showFailure(asFailure(thrown))
    return null
  } finally {
    repeatTicketRequest(projectId, ticket.short_id)
    void refreshTickets(projectId, [id])
    void loadNewer(projectId, ticket.short_id)
  }
}

/** Also offers to undo the change. Returns whether it succeeded. */
async function changeUndoably(
  ticket: Ticket,
  expected: Partial<Ticket>,
  ask: () => Promise<Shape<'Ticket'>>,
  wordOf: (after: Ticket) => string,
  more?: Toast['more'],
): Promise<boolean> {
  recordOwnChange(ticket)
  const answer = await change(ticket, expected, ask)
  if (answer === null) return false
  const after = { ...ticket, ...expected, ...answer }
  offerChangeUndo(ticket, after, wordOf(after), more)
  return true
}

const sendPatch = (ticket: Ticket, body: TicketChange) =>
  take(api.PATCH('/projects/{project_id}/tickets/{ticket_id}', { params: { path: pathOf(ticket) }, body }))

/** Without an offer to undo it. */
export const changeQuietly = (ticket: Ticket, body: TicketChange, expected: Partial<Ticket>) =>
  change(ticket, expected, () => sendPatch(ticket, body))

/** `more`: an action that is offered together with undoing. */
export const patch = (
  ticket: Ticket,
  body: TicketChange,
  expected = body as Partial<Ticket>,
  more?: Toast['more'],
) =>
  changeUndoably(
    ticket,
    expected,
    () => sendPatch(ticket, body),
    after => wordTicketChange(body, after),
    more,
  )

type FieldValues = NonNullable<TicketChange['custom_fields']>

/** Changes the values of custom fields; the others stay. */
export const saveFields = (ticket: Ticket, custom_fields: FieldValues) =>
  patch(ticket, { custom_fields }, { custom_fields: { ...ticket.custom_fields, ...custom_fields } })

type Verb = 'close' | 'reopen' | 'take' | 'force-take'

const act = (ticket: Ticket, verb: Verb, what: string, expected: Partial<Ticket> = {}) =>
  changeUndoably(
    ticket,
    expected,
    () =>
      take(
        api.POST(`/projects/{project_id}/tickets/{ticket_id}/${verb}`, { params: { path: pathOf(ticket) } }),
      ),
    () => what,
  )

export const close = (ticket: Ticket) => act(ticket, 'close', text.undo.closed, { status: 'closed' })
export const reopen = (ticket: Ticket) => act(ticket, 'reopen', text.undo.reopened, { status: 'open' })
export const takeTicket = (ticket: Ticket) => act(ticket, 'take', text.undo.taken)
export const takeOver = (ticket: Ticket) => act(ticket, 'force-take', text.undo.taken)

/** Emails a copy of the conversation to the contact. */
export async function emailTranscript(ticket: Ticket): Promise<void> {
  const path = '/projects/{project_id}/tickets/{ticket_id}/transcript'
  try {
    await take(api.POST(path, { params: { path: pathOf(ticket) } }))
    showNotice(text.actions.emailCopyDone(ticket.contact.email ?? ''))
    void loadNewer(ticket.workspace_id, ticket.short_id)
  } catch (thrown) {
    showFailure(asFailure(thrown))
  }
}

export const transfer = (ticket: Ticket, department_id: string, operator_id: string | null) =>
  changeUndoably(
    ticket,
    {},
    () =>
      take(
        api.POST('/projects/{project_id}/tickets/{ticket_id}/transfer', {
          params: { path: pathOf(ticket) },
          body: { department_id, operator_id },
        }),
      ),
    ({ department_name }) => text.undo.transferred(department_name ?? ''),
  )

/**
 * Marks the ticket as read in its current state, and returns the time up to which it had been read before.
 */
export async function markRead(ticket: Ticket): Promise<string | null> {
  const { workspace_id: projectId, id } = ticket
  const address = '/projects/{project_id}/tickets/{ticket_id}/read'
  const mark = await take(api.POST(address, { params: { path: pathOf(ticket) } }))
  patchTicket(projectId, id, { is_unread: false, unread_count: 0 })
  return mark.previous_read_message_at
}

export const markUnread = (ticket: Ticket) =>
  change(ticket, { is_unread: true, unread_count: 1 }, async () => {
    const address = '/projects/{project_id}/tickets/{ticket_id}/unread'
    await take(api.POST(address, { params: { path: pathOf(ticket) } }))
    return {}
  })
