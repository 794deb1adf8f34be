import { text } from '../../core/text.ts'
import TimeDialog from '../../core/time-dialog.tsx'
import type { Ticket } from '../../tickets/queries.ts'
import { closeTicketDialog } from '../dialog-state.ts'
import { apply } from './apply.ts'

export function Snooze({ tickets }: { tickets: Ticket[] }) {
  const snooze = (until: Date) => {
    const snoozed_until = until.toISOString()
    apply(tickets, { snoozed_until }, { snoozed_until, status: 'on_hold' })
  }
  return <TimeDialog title={text.actions.snoozeTitle} onChoose={snooze} onClose={closeTicketDialog} />
}
