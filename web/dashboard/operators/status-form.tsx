import { Group, Select, TextInput } from '@mantine/core'
import { useEffect } from 'react'
import { Form, useSending } from '../core/form.tsx'
import { text } from '../core/text.ts'
import { dateOf, localTime } from '../core/time.ts'
import type { OwnStatusChoice } from './own-status.ts'
import type { Person } from './queries.ts'

interface Props {
  own: Person | undefined
  /** The preselected status if there is no status message; by default, the current one. */
  first?: Person['status']
  onChoose(choice: OwnStatusChoice): Promise<unknown>
  onDone(): void
}

const isPast = (value: string): boolean => value !== '' && Date.parse(value) <= Date.now()

const toValues = (own: Person | undefined, first = own?.status ?? 'online') => ({
  status: own?.status_text && own.status !== 'offline' ? own.status : first,
  text: own?.status_text ?? '',
  emoji: own?.status_emoji ?? '',
  until: own?.status_until ? localTime(dateOf(own.status_until)) : '',
})

/** The form for a status, a message with an emoji, and an end time. */
export function StatusForm({ own, first, onChoose, onDone }: Props) {
  const shown = toValues(own, first)
  const sending = useSending({
    initialValues: shown,
    validate: { until: value => (isPast(value) ? text.live.untilPast : null) },
    send: ({ status, until, ...values }) =>
      onChoose({
        status,
        text: values.text.trim() || null,
        emoji: values.emoji.trim() || null,
        until: until ? new Date(until).toISOString() : null,
      }),
    onDone,
  })
  const { getInputProps, isDirty, reset, setInitialValues } = sending.form
  // A person who has just opened the page is offline until the server knows of the tab.
  useEffect(() => {
    if (isDirty()) return
    setInitialValues(shown)
    reset()
  }, [JSON.stringify(shown)])
  return (
    <Form sending={sending} action={text.live.set}>
      <Select
        label={text.live.status}
        allowDeselect={false}
        data={Object.entries(text.live.statuses).map(([value, label]) => ({ value, label }))}
        {...getInputProps('status')}
      />
      <Group gap="xs" wrap="nowrap" align="end">
        <TextInput w={72} label={text.live.statusEmoji} maxLength={8} {...getInputProps('emoji')} />
        <TextInput
          flex={1}
          data-autofocus
          label={text.live.statusText}
          placeholder={text.live.statusTextPlaceholder}
          maxLength={100}
          {...getInputProps('text')}
        />
      </Group>
      <TextInput
        type="datetime-local"
        label={text.live.until}
        description={text.live.untilAbout}
        {...getInputProps('until')}
      />
    </Form>
  )
}
