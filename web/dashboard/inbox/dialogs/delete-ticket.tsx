import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { showNotice } from '../../core/notice.ts'
import { text } from '../../core/text.ts'
import { DeleteDialog } from '../../personal-data/delete-dialog.tsx'
import type { Ticket } from '../../tickets/queries.ts'
import { ticketKeys } from '../../tickets/query-keys.ts'
import { closeTicketDialog } from '../dialog-state.ts'
import { useInboxPlace } from '../inbox.ts'
import { DeleteMany } from './delete-many.tsx'

/** Deletes tickets with all their data. */
export function DeleteTicket({ tickets }: { tickets: Ticket[] }) {
  return tickets.length > 1 ? <DeleteMany tickets={tickets} /> : <DeleteOne ticket={tickets[0]!} />
}

function DeleteOne({ ticket: { id, short_id, workspace_id: projectId } }: { ticket: Ticket }) {
  const client = useQueryClient()
  const { openTicket } = useInboxPlace()
  const leave = useCallback(() => {
    closeTicketDialog()
    openTicket(null)
    showNotice(text.personalData.done)
    client.removeQueries({ queryKey: ticketKeys.ticket(projectId, short_id) })
    void client.invalidateQueries({ queryKey: ticketKeys.lists(projectId) })
  }, [client, openTicket, projectId, short_id])
  return (
    <DeleteDialog
      record={{ projectId, kind: 'ticket', id }}
      title={text.personalData.ticketTitle(short_id)}
      words={short_id}
      onClose={closeTicketDialog}
      onDone={leave}
    />
  )
}
