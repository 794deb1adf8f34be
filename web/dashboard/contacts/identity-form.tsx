import { Modal, NativeSelect, Text, TextInput } from '@mantine/core'
import { Form, useSending } from '../core/form.tsx'
import { pageText } from '../core/page-text.ts'
import { text } from '../core/text.ts'

const { identities: words } = pageText.contactProfile

const addable = ['email', 'telegram', 'external'] as const
type Addable = (typeof addable)[number]

interface Props {
  isOpen: boolean
  title: string
  about?: string
  action: string
  /** The value that is corrected; its type stays. */
  corrected?: string
  send(type: Addable, value: string): Promise<unknown>
  onDone(): void
  onClose(): void
}

/** Adds or corrects an address or id. */
export function IdentityForm({ isOpen, title, onClose, ...fields }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
      <Fields {...fields} onClose={onClose} />
    </Modal>
  )
}

function Fields({ about, action, corrected, send, onDone, onClose }: Omit<Props, 'isOpen' | 'title'>) {
  const sending = useSending({
    initialValues: { type: 'email', value: corrected ?? '' },
    validate: { value: value => (value.trim() ? null : text.problems.missing) },
    send: ({ type, value }) => send(addable.find(one => one === type)!, value),
    onDone() {
      onDone()
      onClose()
    },
  })
  return (
    <Form sending={sending} action={action}>
      {about && <Text size="sm">{about}</Text>}
      {corrected === undefined && (
        <NativeSelect
          label={words.type}
          data={addable.map(value => ({ value, label: words.types[value] }))}
          {...sending.form.getInputProps('type')}
        />
      )}
      <TextInput
        label={words.value}
        dir="auto"
        maxLength={512}
        data-autofocus
        {...sending.form.getInputProps('value')}
      />
    </Form>
  )
}
