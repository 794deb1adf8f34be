import { Skeleton, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { text } from '../core/text.ts'
import type { Ticket, TicketChange } from '../tickets/queries.ts'
import { CustomChannelSection } from './custom-channel.tsx'
import { ContactDetails } from './details.tsx'
import { FieldInputs } from './field-inputs.tsx'
import { contextQuery } from './queries.ts'
import { TelegramChatSection } from './telegram-chat.tsx'
import { TicketLinks } from './ticket-links.tsx'

type SaveFields = (ticket: Ticket, values: NonNullable<TicketChange['custom_fields']>) => Promise<boolean>

interface Props {
  ticket: Ticket
  onSaveFields: SaveFields
}

/** What is known about the contact of a ticket, and the fields of the ticket. */
export function ContactPanel({ ticket, onSaveFields }: Props) {
  const { workspace_id: projectId } = ticket
  const { data } = useQuery(contextQuery(projectId, ticket.id))
  if (!data) return <Skeleton height={160} role="status" aria-label={text.shell.loading} />
  const mayChange = ticket.merged_into_id === null
  const hasFields = data.custom_fields.ticket.length > 0 || Object.keys(ticket.custom_fields).length > 0
  return (
    <Stack gap="lg">
      <ContactDetails key={data.contact.id} contact={data.contact} fields={data.custom_fields.contact} />
      <TelegramChatSection ticket={ticket} />
      <CustomChannelSection ticket={ticket} />
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
