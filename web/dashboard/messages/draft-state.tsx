import { Alert, Button, Group, Text } from '@mantine/core'
import { text } from '../core/text.ts'
import type { Composing } from './composing.ts'
import { isEmpty, writeDraft } from './draft.ts'
import { adoptDraft, overwriteDraft } from './draft-saving.ts'

/** Whether the draft is saved, and a way to discard it. */
export function DraftState({ composing }: { composing: Composing }) {
  const { draft, place } = composing
  if (isEmpty(draft)) return null
  return (
    <Group gap={4}>
      <Text size="xs" c="dimmed">
        {draft.isChanged ? text.composer.savedHere : text.composer.saved}
      </Text>
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        onClick={() => writeDraft(place, { content: '', files: [], email: null })}
      >
        {text.composer.discard}
      </Button>
    </Group>
  )
}

/** Shown if the same draft was written on another device, because only the writer can decide. */
export function OtherDraft({ composing: { draft, place } }: { composing: Composing }) {
  const { other } = draft
  if (!other) return null
  return (
    <Alert p="xs" mb={6} role="alert">
      <Text size="sm">{text.composer.otherDraft}</Text>
      <Text size="sm" c="dimmed" lineClamp={3} dir="auto">
        {other.content}
      </Text>
      <Group gap="xs" mt={4}>
        <Button size="compact-sm" variant="default" onClick={() => adoptDraft(place, other)}>
          {text.composer.useOther}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => overwriteDraft(place)}>
          {text.composer.keepMine}
        </Button>
      </Group>
    </Alert>
  )
}
