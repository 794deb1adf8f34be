import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useHold } from './holding-dialog.tsx'
import { text } from './text.ts'

interface Props {
  about: string
  /** The fields to copy it from. */
  children: ReactNode
  onDone(): void
}

/**
 * Content that is never shown again. The surrounding dialog stays open until the person confirms that it is
 * saved.
 */
export function ShownOnce({ about, children, onDone }: Props) {
  useHold()
  return (
    <Stack gap="lg">
      <Text>{about}</Text>
      {children}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {text.shell.done}
        </Button>
      </Group>
    </Stack>
  )
}
