import { List, Modal, Text } from '@mantine/core'
import { text } from '../core/text.ts'
import { forgetRefused, useRefused } from './bulk.ts'

/** The tickets that a bulk change could not change, with reasons. */
export default function RefusedList() {
  const refused = useRefused()
  return (
    <Modal opened={refused.length > 0} onClose={forgetRefused} title={text.actions.failed(refused.length)}>
      <Text mb="xs">{text.actions.failedAbout}</Text>
      <List>
        {refused.map(({ ticket, why }) => (
          <List.Item key={ticket.id}>
            {text.actions.refused(ticket.short_id, ticket.subject ?? text.inbox.noSubject, why)}
          </List.Item>
        ))}
      </List>
    </Modal>
  )
}
