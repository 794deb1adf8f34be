import { Group, Modal, TextInput } from '@mantine/core'
import { Form, useSending } from '../core/form.tsx'
import { text } from '../core/text.ts'
import type { Person } from './queries.ts'

interface Props {
  own: Person | undefined
  onChoose(choice: { status: 'custom'; text: string | null; emoji: string | null }): Promise<unknown>
  onClose(): void
}

/** What one is doing, in own words and with a sign. */
export default function StatusDialog({ own, onChoose, onClose }: Props) {
  const sending = useSending({
    initialValues: { text: own?.status_text ?? '', emoji: own?.status_emoji ?? '' },
    send: values =>
      onChoose({ status: 'custom', text: values.text.trim() || null, emoji: values.emoji.trim() || null }),
    onDone: onClose,
  })
  return (
    <Modal opened onClose={onClose} title={text.live.status}>
      <Form sending={sending} action={text.shell.save}>
        <Group gap="xs" wrap="nowrap" align="end">
          <TextInput
            w={72}
            label={text.live.statusEmoji}
            maxLength={8}
            {...sending.form.getInputProps('emoji')}
          />
          <TextInput
            flex={1}
            data-autofocus
            label={text.live.statusText}
            placeholder={text.live.statusTextPlaceholder}
            maxLength={100}
            {...sending.form.getInputProps('text')}
          />
        </Group>
      </Form>
    </Modal>
  )
}
