import { List, Modal, Text } from '@mantine/core'
import { text } from '../core/text.ts'
import { forgetRefused, useRefused } from './refused.ts'

/** Further tickets are only counted, because nobody reads a list of thousands of rows. */
const maxShown = 100

/** The tickets that an action on many tickets could not change, with reasons. */
export default function RefusedList() {
  const refused = useRefused()
  const tickets = refused?.tickets ?? []
  return (
    <Modal opened={refused !== null} onClose={forgetRefused} title={refused?.title}>
      <Text mb="xs">{refused?.about}</Text>
      <List>
        {tickets.slice(0, maxShown).map(({ ticket, why }) => (
          <List.Item key={ticket.id}>
            {text.actions.refused(ticket.short_id, ticket.subject ?? text.inbox.noSubject, why)}
          </List.Item>
        ))}
      </List>
      {tickets.length > maxShown && (
        <Text mt="xs">{text.actions.moreRefused(tickets.length - maxShown)}</Text>
      )}
    </Modal>
  )
}
