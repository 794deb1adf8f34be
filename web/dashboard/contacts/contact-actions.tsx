import { PlusIcon } from '@heroicons/react/20/solid'
import { Button, Group } from '@mantine/core'
import { Suspense } from 'react'
import { lazily } from '../core/lazy.tsx'
import { text } from '../core/text.ts'
import { openNewTicket, useNewTicketAction } from '../tickets/creating.ts'
import type { Contact } from './queries.ts'

const NewEmail = lazily(() => import('../messages/new-email.tsx'))

/** The buttons that write an email to the contact or create a ticket for them. */
export function ContactActions({ contact }: { contact: Contact }) {
  useNewTicketAction(contact)
  return (
    <Group gap={6}>
      {contact.email && (
        <Suspense>
          <NewEmail contact={contact} />
        </Suspense>
      )}
      <Button
        variant="default"
        size="xs"
        leftSection={<PlusIcon width={16} aria-hidden />}
        onClick={() => openNewTicket(contact)}
      >
        {text.creating.newTicket}
      </Button>
    </Group>
  )
}
