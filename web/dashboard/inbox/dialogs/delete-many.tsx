import { Modal } from '@mantine/core'
import { asFailure } from '../../core/failure.ts'
import { showNotice } from '../../core/notice.ts'
import { withProgress } from '../../core/progress.ts'
import { queryClient } from '../../core/query.ts'
import { text } from '../../core/text.ts'
import { DeletionForm } from '../../personal-data/delete-dialog.tsx'
import { sendDeletion } from '../../personal-data/queries.ts'
import { refreshTickets } from '../../tickets/cache.ts'
import type { Ticket } from '../../tickets/queries.ts'
import { ticketKeys } from '../../tickets/query-keys.ts'
import { closeTicketDialog } from '../dialog-state.ts'
import { useInboxPlace } from '../inbox.ts'
import { showRefused } from '../refused.ts'
import { clearSelection } from '../selection.ts'

/** Deletes the tickets one after another, until somebody stops it. */
async function deleteTickets(tickets: Ticket[]): Promise<void> {
  const projectId = tickets[0]!.workspace_id
  const refused: { ticket: Ticket; why: string }[] = []
  let done = 0
  const word = (count: number) => text.personalData.deleting(count, tickets.length)
  await withProgress({ total: tickets.length, perRequest: 1, word }, async advance => {
    for (const ticket of tickets) {
      await sendDeletion({ projectId, kind: 'ticket', id: ticket.id }).then(
        () => {
          done += 1
          queryClient.removeQueries({ queryKey: ticketKeys.ticket(projectId, ticket.short_id) })
        },
        thrown => refused.push({ ticket, why: asFailure(thrown).message }),
      )
      if (!advance(1)) return
    }
  })
  if (done > 0) showNotice(text.personalData.manyDone(done))
  if (refused.length === 0) clearSelection()
  showRefused({
    title: text.actions.failed(refused.length),
    about: text.actions.failedAbout,
    tickets: refused,
  })
  await refreshTickets(projectId)
}

/** Deletes the selected tickets with all their data. */
export function DeleteMany({ tickets }: { tickets: Ticket[] }) {
  const { number, openTicket } = useInboxPlace()
  const run = () => {
    closeTicketDialog()
    if (tickets.some(({ short_id }) => short_id === number)) openTicket(null)
    void deleteTickets(tickets)
  }
  return (
    <Modal opened onClose={closeTicketDialog} title={text.personalData.manyTitle(tickets.length)}>
      <DeletionForm
        effects={text.personalData.manyEffects}
        words={String(tickets.length)}
        isSending={false}
        run={run}
        onClose={closeTicketDialog}
      />
    </Modal>
  )
}
