import { Checkbox, Modal, ScrollArea, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Form, useSending } from '../../core/form.tsx'
import { text } from '../../core/text.ts'
import { moment } from '../../core/time.ts'
import { senderOf } from '../../messages/message.tsx'
import { conversationQuery, type Message } from '../../messages/queries.ts'
import { wordsOf } from '../../messages/words.ts'
import type { Ticket } from '../../tickets/queries.ts'
import { closeTicketDialog } from '../dialog-state.ts'
import { useInboxPlace } from '../inbox.ts'
import { split } from '../merge.ts'

/** Asks which messages to move to a new ticket. */
export function Split({ tickets }: { tickets: Ticket[] }) {
  const source = tickets[0]!
  const { openTicket } = useInboxPlace()
  const { data } = useQuery(conversationQuery(source.workspace_id, source.short_id))
  const messages = (data?.items ?? []).filter(({ sender_type }) => sender_type !== 'system')
  const sending = useSending({
    initialValues: { message_ids: [] as string[], subject: '' },
    validate: { message_ids: ids => (ids.length > 0 ? null : text.actions.splitNone) },
    send: ({ message_ids, subject }) => split(source, message_ids, subject.trim(), openTicket),
    onDone: closeTicketDialog,
  })
  const { form } = sending
  return (
    <Modal opened onClose={closeTicketDialog} title={text.actions.splitTitle} size="lg">
      <Form sending={sending} action={text.actions.splitDo}>
        <Checkbox.Group label={text.actions.splitAbout} {...form.getInputProps('message_ids')}>
          <ScrollArea.Autosize mah="45dvh" mt="xs">
            <Stack gap="xs">
              {messages.map(message => (
                <Checkbox key={message.id} value={message.id} label={<Line message={message} />} />
              ))}
            </Stack>
          </ScrollArea.Autosize>
        </Checkbox.Group>
        <TextInput label={text.actions.subjectLabel} maxLength={255} {...form.getInputProps('subject')} />
      </Form>
    </Modal>
  )
}

const Line = ({ message }: { message: Message }) => (
  <>
    <Text span size="sm" fw={550}>
      {text.messages.by(senderOf(message), moment(message.created_at))}
    </Text>
    <Text span size="sm" c="dimmed" display="block" lineClamp={2} dir="auto">
      {wordsOf(message)}
    </Text>
  </>
)
