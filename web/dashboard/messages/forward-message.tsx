import { Checkbox, Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { api, take } from '../core/api.ts'
import { Form, useSending } from '../core/form.tsx'
import { newId } from '../core/id.ts'
import { useReturnFocus } from '../core/return-focus.ts'
import { text } from '../core/text.ts'
import { FormattedField } from '../rich-text/formatted-field.tsx'
import type { EmailValues } from './draft.ts'
import { forwardMessage, useForwarded } from './editing.ts'
import { emailErrorsOf } from './email-errors.ts'
import { EmailFields } from './email-fields.tsx'
import { addToSameConversation, type Message } from './queries.ts'
import { replyRecipientsQuery, senderChoicesQuery } from './recipient-queries.ts'

/** The dialog to forward a message to a third party. */
export default function ForwardMessage() {
  const message = useForwarded()
  useReturnFocus(message !== null)
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
  email: EmailValues
  content: string
  media_ids: string[]
}

const initialEmail: EmailValues = { mailbox_id: null, to: [], cc: [], bcc: [], subject: '' }

/** The mailbox that would send a reply in the ticket, otherwise the first one that sends. */
function useDefaultMailbox({ workspace_id, ticket_id }: Message): string | null {
  const { data: reply } = useQuery(replyRecipientsQuery(workspace_id, ticket_id))
  const { data: senders = [] } = useQuery(senderChoicesQuery(workspace_id))
  if (!reply) return null
  return reply.mailbox_id ?? senders.find(({ can_send }) => can_send)?.id ?? null
}

/** Repeats a request whose response was lost with the same idempotency key, so that the message is not forwarded twice. */
function useForwarding(message: Message, mailboxId: string | null) {
  const attempt = useRef({ key: '', sent: '' })
  const path = { project_id: message.workspace_id, message_id: message.id }
  return ({ email, content, media_ids }: Values) => {
    const { to, cc, bcc, subject } = email
    const body = {
      ...{ content, content_format: 'markdown' as const, media_ids },
      email: {
        ...{ to, cc, bcc, subject: subject.trim() || null },
        mailbox_id: email.mailbox_id ?? mailboxId,
      },
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
  const mailboxId = useDefaultMailbox(message)
  const sending = useSending<Values, Message>({
    initialValues: { email: initialEmail, content: '', media_ids: message.media.map(({ id }) => id) },
    validate: {
      email: { to: (to: string[]) => (to.length > 0 ? null : text.emailFields.recipientNeeded) },
    } as never,
    send: useForwarding(message, mailboxId),
    onDone: note => {
      addToSameConversation(message, note)
      forwardMessage(null)
    },
  })
  const { form } = sending
  const { email } = form.getValues()
  const errors = useMemo(
    () => emailErrorsOf({ fields: form.errors as Record<string, string> }),
    [form.errors],
  )
  return (
    <Form sending={sending} action={text.forward.send}>
      <Text size="sm" c="dimmed">
        {text.forward.about}
      </Text>
      <EmailFields
        projectId={message.workspace_id}
        values={{ ...email, mailbox_id: email.mailbox_id ?? mailboxId }}
        onChange={change => {
          for (const [name, value] of Object.entries(change)) form.setFieldValue(`email.${name}`, value)
        }}
        errors={errors}
        people={[]}
        subjectHint={text.forward.subjectHere}
        isFocused
      />
      <FormattedField
        label={text.forward.note}
        isLabelShown
        placeholder={text.forward.noteHere}
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
