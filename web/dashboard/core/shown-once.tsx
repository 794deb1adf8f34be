import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { text } from './text.ts'

interface Props {
  about: string
  /** The fields to copy it from. */
  children: ReactNode
  onDone(): void
}

/** What is never shown again. */
export const ShownOnce = ({ about, children, onDone }: Props) => (
  <Stack gap="lg">
    <Text>{about}</Text>
    {children}
    <Group justify="flex-end">
      <Button variant="default" onClick={onDone}>
        {text.keys.done}
      </Button>
    </Group>
  </Stack>
)
