import { EnvelopeOpenIcon } from '@heroicons/react/20/solid'
import { copyText } from '../core/copy.ts'
import { printNumber } from '../core/format.ts'
import type { Icon } from '../core/icon.ts'
import { showNotice } from '../core/notice.ts'
import { text } from '../core/text.ts'
import { mayDo, type Role } from '../projects/project.ts'
import type { Ticket } from '../tickets/queries.ts'
import { isOffered, ticketActions } from './actions.ts'
import { actOnAll, type Order } from './bulk.ts'
import { openTicketDialog, type TicketDialog } from './dialog-state.ts'

/** What can be done with the selected tickets. */

export interface BulkAction {
  id: string
  name(): string
  keys: string
  icon: Icon
  run(tickets: Ticket[]): unknown
}

/** `leftOut` says which of the selected tickets are left out, and why. */
type Run = (tickets: Ticket[], leftOut?: string) => unknown

const order =
  (order: Order): Run =>
  (tickets, leftOut) =>
    actOnAll(tickets, order, leftOut)

const tell = (leftOut: string | undefined): unknown => leftOut && showNotice(leftOut)

const ask =
  (question: TicketDialog): Run =>
  (tickets, leftOut) => {
    tell(leftOut)
    openTicketDialog(question, tickets)
  }

/** More would take minutes. */
const maxMerged = 50

const askToMerge: Run = (tickets, leftOut) => {
  if (tickets.length > maxMerged) showNotice(text.bulk.mergeTooMany(maxMerged))
  else ask('merge')(tickets, leftOut)
}

const copyLinks = (tickets: Ticket[]): Promise<void> =>
  copyText(
    tickets
      .map(({ workspace_id, short_id }) => `${location.origin}/p/${workspace_id}/inbox/open/${short_id}`)
      .join('\n'),
    text.bulk.linksCopied,
  )

/** By the id of the action on one ticket. */
const runs: Record<string, Run> = {
  take: order({ action: 'take' }),
  'take over': ask('takeOver'),
  assign: ask('assign'),
  transfer: ask('transfer'),
  snooze: ask('snooze'),
  wake: order({ action: 'change', change: { snoozed_until: null, status: 'open' } }),
  priority: ask('priority'),
  status: ask('status'),
  tags: ask('tags'),
  close: order({ action: 'close' }),
  reopen: order({ action: 'reopen' }),
  merge: askToMerge,
  spam: order({ action: 'change', change: { is_spam: true } }),
  'not spam': order({ action: 'change', change: { is_spam: false } }),
  unread: order({ action: 'unread' }),
  link: copyLinks,
  delete: ask('delete'),
}

const readAction: BulkAction = {
  id: 'read',
  name: () => text.actions.read,
  keys: 'shift+u',
  icon: EnvelopeOpenIcon,
  run: order({ action: 'read' }),
}

/** With several tickets, both only close, because no next ticket opens. */
const closing = ['close', 'close and next']

/** Actions that are not in `runs` work for one ticket at a time. */
const runOf = (id: string, role: Role): Run =>
  runs[closing.includes(id) ? 'close' : id] ??
  (tickets => {
    const [ticket] = tickets
    if (!ticket || tickets.length > 1) return showNotice(text.bulk.onlyOne)
    return ticketActions.find(action => action.id === id)?.run(ticket, role)
  })

/** How many tickets an action leaves out, by reason; undefined if none. */
function wordLeftOut(id: string, tickets: Ticket[]): string | undefined {
  const whyOf = ({ merged_into_id }: Ticket) =>
    (merged_into_id === null ? text.bulk.why[id] : undefined) ?? text.bulk.whyMerged
  const parts = [...Map.groupBy(tickets, whyOf)].map(([why, list]) => `${printNumber(list.length)} ${why}`)
  return parts.length > 0 ? text.bulk.leftOut(parts.join(', ')) : undefined
}

/** Whether the action is offered for several tickets too. */
export const isForMany = (id: string): boolean => id in runs || id === readAction.id

/** All actions that this person may use, in the order of the menu. Tickets to which an action does not apply are left out, and the message says so. */
export function listBulkActions(operatorId: string, role: Role, isSpam: boolean): BulkAction[] {
  const own = ticketActions
    .filter(({ id, minRole = 'operator' }) => mayDo(role, minRole) && id !== (isSpam ? 'spam' : 'not spam'))
    .map(action => ({
      ...action,
      run(tickets: Ticket[]) {
        const fits = (ticket: Ticket) => isOffered(action, ticket, operatorId)
        const fitting = tickets.filter(fits)
        const others = tickets.filter(ticket => !fits(ticket))
        if (fitting.length === 0) showNotice(text.bulk.noneFits)
        else void runOf(action.id, role)(fitting, wordLeftOut(action.id, others))
      },
    }))
  const at = own.findIndex(({ id }) => id === 'unread')
  return [...own.slice(0, at), readAction, ...own.slice(at)]
}
