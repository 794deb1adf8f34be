import { Button, Group, Modal, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { text } from './text.ts'

interface Props {
  isOpen: boolean
  title: string
  about: string
  /** The label of the confirming button; null if the action is not possible. */
  action: string | null
  /** Actions that can be undone, and payments, are not red. */
  color?: string
  /** Further choices. */
  children?: ReactNode
  run(): void
  onClose(): void
}

/** Asks before an action that cannot be undone or that costs money. */
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
