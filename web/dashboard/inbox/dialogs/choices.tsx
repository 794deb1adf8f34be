import { Picker } from '../../core/picker.tsx'
import { text } from '../../core/text.ts'
import { PriorityMark, StatusDot } from '../../tickets/marks.tsx'
import type { Ticket, TicketPriority, TicketStatus } from '../../tickets/queries.ts'
import { closeTicketDialog } from '../dialog-state.ts'
import { priorities, statuses } from '../search.ts'
import { apply } from './apply.ts'

interface Props {
  tickets: Ticket[]
}

export const TicketPriorityChoice = ({ tickets }: Props) => (
  <Picker
    title={text.inbox.priority}
    choices={priorities.map(priority => ({
      id: priority,
      label: text.inbox.priorities[priority],
      icon: <PriorityMark priority={priority} />,
      isChosen: tickets.every(ticket => ticket.priority === priority),
    }))}
    onChoose={priority => apply(tickets, { priority: priority as TicketPriority })}
    onClose={closeTicketDialog}
  />
)

/** Closing has its own action, and no ticket can become new again. */
const moves = statuses.filter(status => status !== 'closed' && status !== 'new')

export const TicketStatusChoice = ({ tickets }: Props) => (
  <Picker
    title={text.inbox.status}
    choices={moves.map(status => ({
      id: status,
      label: text.inbox.statuses[status],
      icon: <StatusDot status={status} />,
      isChosen: tickets.every(ticket => ticket.status === status),
    }))}
    onChoose={status => apply(tickets, { status: status as TicketStatus })}
    onClose={closeTicketDialog}
  />
)
