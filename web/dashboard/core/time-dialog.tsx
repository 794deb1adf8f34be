import { Button, Group, Modal, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Picker } from './picker.tsx'
import { useReturnFocus } from './return-focus.ts'
import { text } from './text.ts'
import { localTime } from './time.ts'
import { listPresets, printTime, readTime, timeIn, zoneName } from './time-choices.ts'

interface Props {
  title: string
  onChoose(time: Date): void
  onClose(): void
}

const other = 'other'

/** What was typed as a time, and the usual times that match it. */
function listTimes(words: string) {
  // Whole minutes, so that the choices stay the same while they are shown.
  const now = new Date(new Date().setSeconds(0, 0))
  const typed = readTime(words, now)
  const typedId = typed?.toISOString()
  const wanted = words.trim().toLocaleLowerCase()
  const presets = listPresets(now)
    .map(([label, time]) => ({ id: time.toISOString(), label, about: printTime(time) }))
    .filter(
      ({ id, label, about }) => id === typedId || `${label} ${about}`.toLocaleLowerCase().includes(wanted),
    )
    // What was typed is first.
    .sort((one, other) => Number(other.id === typedId) - Number(one.id === typedId))
  const isPreset = presets[0]?.id === typedId
  return [
    ...(typed && !isPreset ? [{ id: typed.toISOString(), label: printTime(typed) }] : []),
    ...presets,
    { id: other, label: text.time.other },
  ]
}

/** Asks for a time in the future: a usual one, a typed one, or a date and a time. */
export default function TimeDialog({ title, onChoose, onClose }: Props) {
  useReturnFocus(true)
  const [words, setWords] = useState('')
  const [isExact, setExact] = useState(false)
  const choose = (time: Date) => {
    onClose()
    onChoose(time)
  }
  if (isExact) return <ExactTime title={title} onChoose={choose} onClose={onClose} />
  return (
    <Picker
      isMulti
      title={title}
      choices={listTimes(words)}
      onSearch={setWords}
      onChoose={id => (id === other ? setExact(true) : choose(new Date(id)))}
      onClose={onClose}
    >
      <Text size="xs" c="dimmed" mt={6}>
        {text.time.hint(zoneName())}
      </Text>
    </Picker>
  )
}

function ExactTime({ title, onChoose, onClose }: Props) {
  const [time, setTime] = useState(() => localTime(timeIn(1, 9)))
  const [isTried, setTried] = useState(false)
  const chosen = new Date(time)
  const isWrong = !(chosen.getTime() > Date.now())
  return (
    <Modal opened onClose={onClose} title={title}>
      <form
        onSubmit={event => {
          event.preventDefault()
          setTried(true)
          if (!isWrong) onChoose(chosen)
        }}
      >
        <TextInput
          type="datetime-local"
          label={text.time.field}
          description={text.time.zone(zoneName())}
          data-autofocus
          value={time}
          error={isTried && isWrong && text.time.past}
          onChange={event => setTime(event.currentTarget.value)}
        />
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={onClose}>
            {text.shell.cancel}
          </Button>
          <Button type="submit">{text.time.choose}</Button>
        </Group>
      </form>
    </Modal>
  )
}
