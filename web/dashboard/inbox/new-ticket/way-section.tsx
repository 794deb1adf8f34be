import { NativeSelect, SegmentedControl, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { text } from '../../core/text.ts'
import { senderChoicesQuery } from '../../messages/recipient-queries.ts'
import { isRecorded } from './channels.ts'
import type { NewTicketErrors } from './create.ts'
import type { NewTicketValues } from './draft.ts'

interface Props {
  projectId: string
  values: NewTicketValues
  channels: { value: string; label: string }[]
  channel: string
  mailboxId: string | null
  errors: NewTicketErrors
  onChange(change: Partial<NewTicketValues>): void
  onNote(isNote: boolean): void
}

/** How the contact got in touch, or how the message is sent. */
export function WaySection(props: Props) {
  const { projectId, channels, channel, mailboxId, errors, onChange, onNote } = props
  const { data: mailboxes = [] } = useQuery(senderChoicesQuery(projectId))
  const senders = mailboxes.filter(({ can_send }) => can_send)
  const choose = (next: string) => {
    if (!isRecorded(next)) onNote(false)
    onChange({ channel: next })
  }
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing={8}>
      <NativeSelect
        label={text.creating.channel}
        value={channel}
        data={channels}
        error={errors.channel}
        onChange={event => choose(event.currentTarget.value)}
      />
      {channel === 'email' && (
        <NativeSelect
          label={text.creating.mailbox}
          value={mailboxId ?? ''}
          data={senders.map(({ id, address }) => ({ value: id, label: address }))}
          error={errors.mailbox_id}
          onChange={event => onChange({ mailbox_id: event.currentTarget.value })}
        />
      )}
    </SimpleGrid>
  )
}

/** Whether the message is what the contact said, or a note. Messages in other channels are sent. */
export function MessageKind({ values, channel, onNote }: Pick<Props, 'values' | 'channel' | 'onNote'>) {
  if (!isRecorded(channel))
    return (
      <Text size="sm" c="dimmed">
        {text.creating.sent}
      </Text>
    )
  return (
    <SegmentedControl
      size="xs"
      aria-label={text.creating.kind}
      value={values.isNote ? 'note' : 'said'}
      onChange={kind => onNote(kind === 'note')}
      data={[
        { value: 'said', label: text.creating.said },
        { value: 'note', label: text.creating.noteOnly },
      ]}
      style={{ alignSelf: 'flex-start' }}
    />
  )
}
