import { Confirm } from '../../core/confirm.tsx'
import { text } from '../../core/text.ts'
import type { Ticket } from '../../tickets/queries.ts'
import { actOnAll } from '../bulk.ts'
import { takeOver } from '../change.ts'
import { closeTicketDialog } from '../dialog-state.ts'

/** Asks for confirmation before taking over. */
export function TakeOver({ tickets }: { tickets: Ticket[] }) {
  const ticket = tickets[0]!
  const isMany = tickets.length > 1
  const { takeOverTitle, takeOverAbout, takeOverDo } = text.actions
  const { takeOverMany, takeOverManyAbout } = text.bulk
  return (
    <Confirm
      isOpen
      title={
        isMany ? takeOverMany(tickets.length) : takeOverTitle(ticket.operator?.name ?? text.inbox.nobody)
      }
      about={isMany ? takeOverManyAbout : takeOverAbout}
      action={takeOverDo}
      run={() => (isMany ? actOnAll(tickets, { action: 'force_take' }) : takeOver(ticket))}
      onClose={closeTicketDialog}
    />
  )
}
