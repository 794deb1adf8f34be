import { Button, Group, Modal, Text } from '@mantine/core'
import { text } from './text.ts'

interface Props {
  isOpen: boolean
  title: string
  about: string
  /** On the button that does it. */
  action: string
  run(): void
  onClose(): void
}

/** Asks before something that cannot be undone. */
export function Confirm({ isOpen, title, about, action, run, onClose }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
      <Text mb="lg">{about}</Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          {text.shell.cancel}
        </Button>
        <Button
          color="red"
          onClick={() => {
            onClose()
            run()
          }}
        >
          {action}
        </Button>
      </Group>
    </Modal>
  )
}
