import { Modal, Text, Textarea } from '@mantine/core'
import { api, take } from '../core/api.ts'
import { Form, useSending } from '../core/form.tsx'
import { useReturnFocus } from '../core/return-focus.ts'
import { text } from '../core/text.ts'
import { FormattedField } from '../rich-text/formatted-field.tsx'
import { patchMessage } from './cache.ts'
import { editMessage, useEdited } from './editing.ts'
import type { Message } from './queries.ts'
import { maxMessageLength } from './send.ts'

/** The dialog to edit a message. */
export default function EditMessage() {
  const message = useEdited()
  useReturnFocus(message !== null)
  return (
    <Modal
      opened={message !== null}
      onClose={() => editMessage(null)}
      title={text.messages.editTitle}
      size="lg"
    >
      {message && <EditForm message={message} />}
    </Modal>
  )
}

function EditForm({ message }: { message: Message }) {
  const path = { project_id: message.workspace_id, message_id: message.id }
  const sending = useSending({
    initialValues: { content: message.content },
    validate: { content: value => (value.trim() ? null : text.composer.empty) },
    send: body => take(api.PATCH('/projects/{project_id}/messages/{message_id}', { params: { path }, body })),
    onDone: changed => {
      patchMessage(message, changed)
      editMessage(null)
    },
  })
  return (
    <Form sending={sending} action={text.shell.save}>
      {message.channel === 'email' && (!message.is_internal || message.email?.forwarded) && (
        <Text size="sm" c="dimmed">
          {text.messages.editMailed}
        </Text>
      )}
      {message.content_format === 'markdown' ? (
        <FormattedField
          label={text.messages.editTitle}
          isFocused
          {...sending.form.getInputProps('content')}
        />
      ) : (
        <Textarea
          data-autofocus
          autosize
          minRows={4}
          maxRows={16}
          dir="auto"
          aria-label={text.messages.editTitle}
          maxLength={maxMessageLength}
          {...sending.form.getInputProps('content')}
        />
      )}
    </Form>
  )
}
