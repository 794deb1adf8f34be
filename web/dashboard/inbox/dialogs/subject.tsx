import { Modal, TextInput } from '@mantine/core'
import { Form, useSending } from '../../core/form.tsx'
import { text } from '../../core/text.ts'
import type { Ticket } from '../../tickets/queries.ts'
import { patch } from '../change.ts'
import { closeTicketDialog } from '../dialog-state.ts'

export function Subject({ tickets }: { tickets: Ticket[] }) {
  const ticket = tickets[0]!
  const sending = useSending({
    initialValues: { subject: ticket.subject ?? '' },
    validate: { subject: value => (value.trim() ? null : text.actions.subjectNeeded) },
    send: ({ subject }) => patch(ticket, { subject: subject.trim() }),
    onDone: isDone => isDone && closeTicketDialog(),
  })
  return (
    <Modal opened onClose={closeTicketDialog} title={text.actions.subjectLabel}>
      <Form sending={sending} action={text.shell.save}>
        <TextInput
          data-autofocus
          aria-label={text.actions.subjectLabel}
          maxLength={255}
          dir="auto"
          {...sending.form.getInputProps('subject')}
        />
      </Form>
    </Modal>
  )
}
