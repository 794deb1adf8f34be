import { Button, Group, Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { text } from '../core/text.ts'
import { localTime } from '../core/time.ts'

interface Props {
  isOpen: boolean
  onClose(): void
  onChoose(time: string): void
}

export default function SendLater({ isOpen, onClose, onChoose }: Props) {
  const [time, setTime] = useState(() => localTime(new Date(Date.now() + 3_600_000)))
  const isPast = !time || new Date(time).getTime() <= Date.now()
  const [isTried, setTried] = useState(false)
  const choose = () => {
    setTried(true)
    if (isPast) return
    onChoose(new Date(time).toISOString())
    onClose()
  }
  return (
    <Modal opened={isOpen} onClose={onClose} title={text.composer.later}>
      <TextInput
        type="datetime-local"
        label={text.actions.time}
        value={time}
        error={isTried && isPast && text.actions.timePast}
        onChange={event => setTime(event.currentTarget.value)}
        data-autofocus
      />
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose}>
          {text.shell.cancel}
        </Button>
        <Button onClick={choose}>{text.composer.laterDo}</Button>
      </Group>
    </Modal>
  )
}
