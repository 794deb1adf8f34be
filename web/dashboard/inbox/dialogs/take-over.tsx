import { Confirm } from '../../core/confirm.tsx'
import { text } from '../../core/text.ts'
import type { Ticket } from '../../tickets/queries.ts'
import { takeOver } from '../change.ts'
import { closeTicketDialog } from '../dialog-state.ts'

/** Asks for confirmation before taking over. */
export function TakeOver({ tickets }: { tickets: Ticket[] }) {
  const ticket = tickets[0]!
  return (
    <Confirm
      isOpen
      title={text.actions.takeOverTitle(ticket.operator?.name ?? text.inbox.nobody)}
      about={text.actions.takeOverAbout}
      action={text.actions.takeOverDo}
      run={() => takeOver(ticket)}
      onClose={closeTicketDialog}
    />
  )
}
