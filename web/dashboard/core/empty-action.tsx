import { Button, Group } from '@mantine/core'
import { runAction, useActions } from './actions.ts'
import { Keys } from './key-caps.tsx'

/** The button of an empty state, which runs a registered action. Nothing if the reader may not do it. */
export function EmptyAction({ id, label }: { id: string; label: string }) {
  const action = useActions(true).find(one => one.id === id)
  if (!action) return null
  return (
    <Group gap="xs" mt="xs">
      <Button variant="default" onClick={() => runAction(id)}>
        {label}
      </Button>
      {action.keys && <Keys keys={action.keys} />}
    </Group>
  )
}
