import { Button, Group, Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Picker } from '../../core/picker.tsx'
import { text } from '../../core/text.ts'
import { localTime, moment } from '../../core/time.ts'
import type { Ticket } from '../../tickets/queries.ts'
import { closeTicketDialog } from '../dialog-state.ts'
import { apply } from './apply.ts'

const morning = 9

const inDays = (days: number): Date => {
  const date = new Date()
  date.setDate(date.getDate() + days)
  date.setHours(morning, 0, 0, 0)
  return date
}

const untilMonday = (): number => (8 - new Date().getDay()) % 7 || 7

const presets = (): [string, Date][] => [
  [text.actions.laterToday, new Date(Date.now() + 3 * 3_600_000)],
  [text.actions.tomorrow, inDays(1)],
  [text.actions.nextWeek, inDays(untilMonday())],
  [text.actions.nextMonth, inDays(30)],
]

const other = 'other'

export function Snooze({ tickets }: { tickets: Ticket[] }) {
  const [isExact, setExact] = useState(false)
  const sleep = (until: Date) => {
    closeTicketDialog()
    apply(
      tickets,
      { snoozed_until: until.toISOString() },
      { snoozed_until: until.toISOString(), status: 'on_hold' },
    )
  }
  const choices = presets().map(([label, date]) => ({
    id: date.toISOString(),
    label,
    about: moment(date.toISOString()),
  }))
  if (isExact) return <ExactTime onChoose={sleep} />
  return (
    <Picker
      isMulti
      title={text.actions.snoozeTitle}
      choices={[...choices, { id: other, label: text.actions.chosenTime }]}
      onChoose={id => (id === other ? setExact(true) : sleep(new Date(id)))}
      onClose={closeTicketDialog}
    />
  )
}

function ExactTime({ onChoose }: { onChoose(until: Date): void }) {
  const [time, setTime] = useState(() => localTime(inDays(1)))
  const [isTried, setTried] = useState(false)
  const until = new Date(time)
  const isWrong = !(until.getTime() > Date.now())
  return (
    <Modal opened onClose={closeTicketDialog} title={text.actions.snoozeTitle}>
      <TextInput
        type="datetime-local"
        label={text.actions.time}
        data-autofocus
        value={time}
        error={isTried && isWrong && text.actions.timePast}
        onChange={event => setTime(event.currentTarget.value)}
      />
      <Group justify="flex-end" mt="md">
        <Button
          onClick={() => {
            setTried(true)
            if (!isWrong) onChoose(until)
          }}
        >
          {text.shell.save}
        </Button>
      </Group>
    </Modal>
  )
}
