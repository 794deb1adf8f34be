import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { Form, useSending } from '../core/form.tsx'
import { newId } from '../core/id.ts'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'
import { createContact, nameErrorOf, noContactValues } from './new-contact.ts'
import { NewContactFields } from './new-contact-fields.tsx'
import type { Contact } from './queries.ts'
import { contactKeys } from './query-keys.ts'

interface Props {
  isOpen: boolean
  onClose(): void
}

/** The dialog that creates a contact and then opens their page. */
export default function NewContactDialog({ isOpen, onClose }: Props) {
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  return (
    <Modal opened={isOpen} onClose={onClose} title={text.creating.newContact} fullScreen={isNarrow}>
      <Fields onClose={onClose} />
    </Modal>
  )
}

/** Attempts with the same values have the same idempotency key, so repeating one does not create a second contact. */
function useAttemptKey(): (values: object) => string {
  const last = useRef({ sent: '', key: '' })
  return values => {
    const sent = JSON.stringify(values)
    if (last.current.sent !== sent) last.current = { sent, key: newId() }
    return last.current.key
  }
}

function Fields({ onClose }: Pick<Props, 'onClose'>) {
  const { id: projectId } = useProject()
  const client = useQueryClient()
  const navigate = useNavigate()
  const keyOf = useAttemptKey()
  const open = ({ id: contactId }: Contact) => {
    onClose()
    void navigate({ to: '/p/$projectId/contacts/$contactId', params: { projectId, contactId } })
  }
  const sending = useSending({
    initialValues: { ...noContactValues },
    validate: values => ({ full_name: nameErrorOf(values) }),
    send: values => createContact(projectId, values, keyOf(values)),
    onDone: contact => {
      void client.invalidateQueries({ queryKey: contactKeys.lists(projectId) })
      open(contact)
    },
  })
  const { form } = sending
  return (
    <Form sending={sending} action={text.creating.createContact}>
      <NewContactFields
        projectId={projectId}
        values={form.getValues()}
        errors={form.errors}
        hasNote
        onChange={change => form.setValues(change)}
        onUse={open}
      />
    </Form>
  )
}
