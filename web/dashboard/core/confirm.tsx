import { Button, Group, Modal, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { text } from './text.ts'

interface Props {
  isOpen: boolean
  title: string
  about: string
  /** On the button that does it. */
  action: string
  /** What else is to be chosen. */
  children?: ReactNode
  run(): void
  onClose(): void
}

/** Asks before something that cannot be undone. */
export function Confirm({ isOpen, title, about, action, children, run, onClose }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
      <Text mb={children ? 'sm' : 'lg'}>{about}</Text>
      {children}
      <Group justify="flex-end" mt={children ? 'lg' : 0}>
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
