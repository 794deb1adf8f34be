import { Button, Group, Modal, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { text } from './text.ts'

interface Props {
  isOpen: boolean
  title: string
  about: string
  /** On the button that does it; null where it cannot be done. */
  action: string | null
  /** What can be taken back, or costs money as everybody expects, is not red. */
  color?: string
  /** What else is to be chosen. */
  children?: ReactNode
  run(): void
  onClose(): void
}

/** Asks before something that cannot be undone, or that costs money. */
export function Confirm({ isOpen, title, about, action, color = 'red', children, run, onClose }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
      <Text mb={children ? 'sm' : 'lg'}>{about}</Text>
      {children}
      <Group justify="flex-end" mt={children ? 'lg' : 0}>
        <Button variant="default" onClick={onClose} data-autofocus>
          {text.shell.cancel}
        </Button>
        {action !== null && (
          <Button
            color={color}
            onClick={() => {
              onClose()
              run()
            }}
          >
            {action}
          </Button>
        )}
      </Group>
    </Modal>
  )
}
