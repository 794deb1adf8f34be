import { PlusIcon } from '@heroicons/react/20/solid'
import { ActionIcon } from '@mantine/core'
import { text } from '../core/text.ts'
import { openNewTicket } from './creating.ts'

/** Opens the dialog for a new ticket. */
export const NewTicketButton = () => (
  <ActionIcon
    size="lg"
    aria-label={text.creating.newTicket}
    title={text.creating.newTicket}
    onClick={() => openNewTicket()}
  >
    <PlusIcon width={18} aria-hidden />
  </ActionIcon>
)
