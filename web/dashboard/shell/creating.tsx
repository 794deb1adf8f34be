import { UserPlusIcon } from '@heroicons/react/20/solid'
import { useParams } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { useAction } from '../core/actions.ts'
import { lazily } from '../core/lazy.tsx'
import { text } from '../core/text.ts'
import { closeCreating, openNewContact, useCreating, useNewTicketAction } from '../tickets/creating.ts'

const NewTicketDialog = lazily(() => import('../inbox/new-ticket/new-ticket-dialog.tsx'))
const NewContactDialog = lazily(() => import('../contacts/new-contact-dialog.tsx'))

/** Whether the dialog has ever been opened. From then on it stays mounted, so that closing can be animated. */
function useUsed(isOpen: boolean): boolean {
  const [isUsed, setUsed] = useState(isOpen)
  if (isOpen && !isUsed) setUsed(true)
  return isUsed
}

/** New tickets and contacts can be created on every page of a project. */
export function CreatingDialogs() {
  const asked = useCreating()
  const { projectId } = useParams({ strict: false })
  // A dialog that is closing keeps its content.
  const [shown, setShown] = useState(asked)
  if (asked && asked !== shown) setShown(asked)
  const isTicket = asked?.kind === 'ticket'
  const isContact = asked?.kind === 'contact'
  const isTicketUsed = useUsed(isTicket)
  const isContactUsed = useUsed(isContact)
  useEffect(() => closeCreating, [projectId])
  useNewTicketAction(null)
  useAction({
    id: 'new contact',
    name: text.creating.newContact,
    group: text.shell.anywhere,
    keys: 'n c',
    icon: UserPlusIcon,
    run: openNewContact,
  })
  return (
    <Suspense>
      {isTicketUsed && (
        <NewTicketDialog
          isOpen={isTicket}
          contact={shown?.kind === 'ticket' ? shown.contact : null}
          onClose={closeCreating}
        />
      )}
      {isContactUsed && <NewContactDialog isOpen={isContact} onClose={closeCreating} />}
    </Suspense>
  )
}
