import { XMarkIcon } from '@heroicons/react/20/solid'
import { ActionIcon, Button } from '@mantine/core'
import { text } from '../core/text.ts'
import { ask } from './asked.ts'
import classes from './list.module.css'
import type { Ticket } from './queries.ts'
import { clearSelection, useSelection } from './selection.ts'

/** In place of the search while rows are ticked: what can be done with all of them. */
export function BulkBar({ tickets }: { tickets: Ticket[] }) {
  const selected = useSelection()
  const chosen = tickets.filter(({ id }) => selected.has(id))
  return (
    <div className={classes.bar} role="toolbar" aria-label={text.inbox.selected(selected.size)}>
      <ActionIcon aria-label={text.inbox.clearSelection} onClick={clearSelection}>
        <XMarkIcon width={18} aria-hidden />
      </ActionIcon>
      <span className={classes.selected}>{text.inbox.selected(selected.size)}</span>
      <Button size="xs" variant="default" onClick={() => ask('assign', chosen)}>
        {text.actions.assign}
      </Button>
    </div>
  )
}
