import { PencilSquareIcon } from '@heroicons/react/20/solid'
import { ActionIcon, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useMemo, useState } from 'react'
import { useAction } from '../core/actions.ts'
import { lazily } from '../core/lazy.tsx'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'
import { newEmailPlace } from './draft.ts'
import { senderChoicesQuery } from './recipient-queries.ts'

const NewEmailDialog = lazily(() => import('./new-email-dialog.tsx'))

interface Props {
  /** To whom it is sent, on the page of a contact. */
  contact?: { id: string; email: string | null }
}

/** The button for an email that starts a ticket, if the project has a mailbox that sends. */
export default function NewEmail({ contact }: Props) {
  const { id: projectId } = useProject()
  const { data = [] } = useQuery(senderChoicesQuery(projectId))
  const [isOpen, setOpen] = useState(false)
  const [wasOpened, setOpened] = useState(false)
  const place = useMemo(() => newEmailPlace(projectId, contact), [projectId, contact])
  const sender = data.find(({ can_send }) => can_send)
  const { newEmail, sendEmail } = text.emailFields
  const name = contact ? sendEmail : newEmail
  const open = () => {
    setOpened(true)
    setOpen(true)
  }
  useAction(sender ? { id: 'new email', name, keys: 'shift+n', icon: PencilSquareIcon, run: open } : null)
  if (!sender) return null
  return (
    <>
      {contact ? (
        <Button variant="default" size="xs" leftSection={<PencilSquareIcon width={16} />} onClick={open}>
          {name}
        </Button>
      ) : (
        <ActionIcon size="lg" aria-label={name} title={name} onClick={open}>
          <PencilSquareIcon width={18} aria-hidden />
        </ActionIcon>
      )}
      {wasOpened && (
        <Suspense>
          <NewEmailDialog
            place={place}
            mailboxId={sender.id}
            isOpen={isOpen}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
