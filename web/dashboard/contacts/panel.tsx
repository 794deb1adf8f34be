import { XMarkIcon } from '@heroicons/react/20/solid'
import { ActionIcon, Drawer, Group, Skeleton, Stack, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { text } from '../core/text.ts'
import type { Ticket, TicketChange } from '../tickets/queries.ts'
import classes from './contacts.module.css'
import { ContactDetails } from './details.tsx'
import { FieldInputs } from './field-inputs.tsx'
import { contextQuery } from './queries.ts'
import { TicketLinks } from './ticket-links.tsx'

type SaveFields = (ticket: Ticket, values: NonNullable<TicketChange['custom_fields']>) => Promise<boolean>

interface Props {
  ticket: Ticket
  isOpen: boolean
  onClose(): void
  onSaveFields: SaveFields
}

/** Beside the conversation on wide screens, in a drawer on narrow ones. */
export default memo(function ContactPanel({ ticket, isOpen, onClose, onSaveFields }: Props) {
  const isWide = useMediaQuery('(min-width: 88em)', true, { getInitialValueInEffect: false })
  if (!isWide)
    return (
      <Drawer opened={isOpen} onClose={onClose} position="right" size="sm" title={text.contacts.contact}>
        <Content ticket={ticket} onSaveFields={onSaveFields} />
      </Drawer>
    )
  if (!isOpen) return null
  return (
    <aside className={classes.panel} aria-label={text.contacts.contact}>
      <Group justify="space-between" mb="xs">
        <Title order={2}>{text.contacts.contact}</Title>
        <ActionIcon aria-label={text.contacts.closePanel} onClick={onClose}>
          <XMarkIcon width={18} aria-hidden />
        </ActionIcon>
      </Group>
      <Content ticket={ticket} onSaveFields={onSaveFields} />
    </aside>
  )
})

function Content({ ticket, onSaveFields }: Pick<Props, 'ticket' | 'onSaveFields'>) {
  const { workspace_id: projectId } = ticket
  const { data } = useQuery(contextQuery(projectId, ticket.id))
  if (!data) return <Skeleton height={160} role="status" aria-label={text.shell.loading} />
  const mayChange = ticket.merged_into_id === null
  const hasFields = data.custom_fields.ticket.length > 0 || Object.keys(ticket.custom_fields).length > 0
  return (
    <Stack gap="lg">
      <ContactDetails key={data.contact.id} contact={data.contact} fields={data.custom_fields.contact} />
      {mayChange && hasFields && (
        <section>
          <Title order={3} mb={6}>
            {text.contacts.ticketFields}
          </Title>
          <FieldInputs
            key={ticket.id}
            fields={data.custom_fields.ticket}
            values={ticket.custom_fields}
            onSave={values => onSaveFields(ticket, values)}
          />
        </section>
      )}
      <section>
        <Title order={3} mb={6}>
          {text.contacts.otherTickets}
        </Title>
        <TicketLinks projectId={projectId} tickets={data.tickets} empty={text.contacts.noOthers} />
      </section>
    </Stack>
  )
}
