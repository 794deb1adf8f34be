import { Button, Group, Text } from '@mantine/core'
import { text } from '../core/text.ts'
import type { Composing } from './composing.ts'
import { clearDraft, isEmpty } from './draft.ts'

/** Whether what is written is safe, and the way to throw it away. */
export function DraftState({ composing }: { composing: Composing }) {
  const { draft, place } = composing
  if (isEmpty(draft)) return null
  return (
    <Group gap={4}>
      <Text size="xs" c="dimmed" role="status">
        {draft.isChanged ? text.composer.savedHere : text.composer.saved}
      </Text>
      <Button size="compact-xs" variant="subtle" color="gray" onClick={() => clearDraft(place)}>
        {text.composer.discard}
      </Button>
    </Group>
  )
}
