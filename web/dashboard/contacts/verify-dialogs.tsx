import { Modal, Text, TextInput } from '@mantine/core'
import { Form, useSending } from '../core/form.tsx'
import { showNotice } from '../core/notice.ts'
import { pageText } from '../core/page-text.ts'
import { text } from '../core/text.ts'
import { refreshContacts, tryChange } from './change.ts'
import { changeIdentity, type KnownIdentity, sendCode, verifyIdentity } from './identity-calls.ts'
import type { Contact } from './queries.ts'

const { identities: words } = pageText.contactProfile

interface Props {
  contact: Contact
  identity: KnownIdentity
  isOpen: boolean
  onClose(): void
}

/** Emails a code and shows a confirmation. Returns false if the code could not be sent. */
export async function mailCode(contact: Contact, identity: KnownIdentity): Promise<boolean> {
  const isSent = await tryChange(contact.workspace_id, () => sendCode(contact, identity))
  if (isSent) showNotice(words.codeSent(identity.value))
  return isSent
}

export function CodeDialog({ isOpen, onClose, ...props }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={words.enterCode}>
      <CodeForm {...props} onClose={onClose} />
    </Modal>
  )
}

function CodeForm({ contact, identity, onClose }: Omit<Props, 'isOpen'>) {
  const sending = useSending({
    initialValues: { code: '' },
    validate: { code: value => (value.trim() ? null : text.problems.missing) },
    send: ({ code }) => verifyIdentity(contact, identity, code),
    onDone() {
      refreshContacts(contact.workspace_id)
      onClose()
    },
  })
  return (
    <Form sending={sending} action={words.verify}>
      <Text size="sm">{words.codeAbout(identity.value)}</Text>
      <TextInput
        label={words.code}
        inputMode="numeric"
        autoComplete="off"
        maxLength={20}
        data-autofocus
        {...sending.form.getInputProps('code')}
      />
    </Form>
  )
}

export function ReasonDialog({ isOpen, onClose, ...props }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={words.takeVerified}>
      <ReasonForm {...props} onClose={onClose} />
    </Modal>
  )
}

function ReasonForm({ contact, identity, onClose }: Omit<Props, 'isOpen'>) {
  const sending = useSending({
    initialValues: { reason: '' },
    validate: { reason: value => (value.trim() ? null : text.problems.missing) },
    send: ({ reason }) => changeIdentity(contact, identity, { is_verified: true, reason }),
    onDone() {
      refreshContacts(contact.workspace_id)
      onClose()
    },
  })
  return (
    <Form sending={sending} action={words.takeVerified}>
      <Text size="sm">{words.takeVerifiedAbout}</Text>
      <TextInput
        label={words.reason}
        maxLength={500}
        data-autofocus
        {...sending.form.getInputProps('reason')}
      />
    </Form>
  )
}
