import { Checkbox, Modal, Stack, TagsInput, Text, Textarea, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { api, take } from '../core/api.ts'
import { Form, useSending } from '../core/form.tsx'
import { newId } from '../core/id.ts'
import { text } from '../core/text.ts'
import { forwardMessage, useForwarded } from './editing.ts'
import { addToSameConversation, type Message } from './queries.ts'
import { maxMessageLength } from './send.ts'

/** The dialog to forward a message to a third party. */
export default function ForwardMessage() {
  const message = useForwarded()
  return (
    <Modal
      opened={message !== null}
      onClose={() => forwardMessage(null)}
      title={text.forward.title}
      size="lg"
    >
      {message && <ForwardForm message={message} />}
    </Modal>
  )
}

interface Values extends Record<string, unknown> {
  email: { to: string[]; subject: string }
  content: string
  media_ids: string[]
}

const looksLikeAddress = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/

function checkRecipients(to: string[]): string | null {
  const wrong = to.find(address => !looksLikeAddress.test(address))
  if (wrong !== undefined) return text.forward.notAddress(wrong)
  return to.length > 0 ? null : text.forward.toNeeded
}

/** Repeats a request whose response was lost with the same idempotency key, so that the message is not forwarded twice. */
function useForwarding(message: Message) {
  const attempt = useRef({ key: '', sent: '' })
  const path = { project_id: message.workspace_id, message_id: message.id }
  return ({ email, content, media_ids }: Values) => {
    const body = {
      ...{ content, content_format: 'markdown' as const, media_ids },
      email: { to: email.to, subject: email.subject.trim() || null },
    }
    const sent = JSON.stringify(body)
    if (attempt.current.sent !== sent) attempt.current = { key: newId(), sent }
    const headers = { 'idempotency-key': attempt.current.key }
    return take(
      api.POST('/projects/{project_id}/messages/{message_id}/forward', {
        params: { path },
        headers,
        body,
      }),
    )
  }
}

function ForwardForm({ message }: { message: Message }) {
  const sending = useSending<Values, Message>({
    initialValues: {
      email: { to: [], subject: '' },
      content: '',
      media_ids: message.media.map(({ id }) => id),
    },
    validate: { email: { to: checkRecipients } },
    send: useForwarding(message),
    onDone: note => {
      addToSameConversation(message, note)
      forwardMessage(null)
    },
  })
  const { form } = sending
  return (
    <Form sending={sending} action={text.forward.send}>
      <Text size="sm" c="dimmed">
        {text.forward.about}
      </Text>
      <TagsInput
        data-autofocus
        label={text.forward.to}
        placeholder={form.getValues().email.to.length > 0 ? '' : text.forward.toHere}
        splitChars={[',', ';', ' ']}
        {...form.getInputProps('email.to')}
      />
      <TextInput
        label={text.forward.subject}
        placeholder={text.forward.subjectHere}
        maxLength={255}
        {...form.getInputProps('email.subject')}
      />
      <Textarea
        label={text.forward.note}
        placeholder={text.forward.noteHere}
        autosize
        minRows={3}
        maxRows={12}
        dir="auto"
        maxLength={maxMessageLength}
        {...form.getInputProps('content')}
      />
      {message.media.length > 0 && (
        <Checkbox.Group label={text.forward.files} {...form.getInputProps('media_ids')}>
          <Stack gap="xs" mt="xs">
            {message.media.map(({ id, filename }) => (
              <Checkbox key={id} value={id} label={filename} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </Form>
  )
}
