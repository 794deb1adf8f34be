import { EllipsisVerticalIcon, XMarkIcon } from '@heroicons/react/20/solid'
import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { runAction, useAction } from '../core/actions.ts'
import { printNumber } from '../core/format.ts'
import { Keys } from '../core/key-caps.tsx'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'
import { type Ticket, ticketCountQuery } from '../tickets/queries.ts'
import { type BulkAction, isForMany, listBulkActions } from './bulk-actions.ts'
import { useInboxPlace, useListFilters } from './inbox.ts'
import classes from './list.module.css'
import { clearSelection, useFurtherSelected, useSelection } from './selection.ts'

interface Props {
  /** The tickets that the list has loaded. */
  tickets: Ticket[]
  hasMore: boolean
}

/** The selected tickets, whether or not the list has loaded them. */
function useChosen(tickets: Ticket[]): Ticket[] {
  const selected = useSelection()
  const further = useFurtherSelected()
  return useMemo(() => {
    if (selected.size === 0) return []
    const byId = new Map([...further, ...tickets].map(ticket => [ticket.id, ticket]))
    return [...byId.values()].filter(({ id }) => selected.has(id))
  }, [tickets, further, selected])
}

/** Replaces the search while rows are selected, with actions on all of them. */
export default function BulkBar({ tickets, hasMore }: Props) {
  const chosen = useChosen(tickets)
  const selected = useSelection()
  if (chosen.length === 0) return null
  const isAllLoaded = tickets.every(({ id }) => selected.has(id))
  return (
    <>
      <BulkActions chosen={chosen} />
      {hasMore && isAllLoaded && chosen.length <= tickets.length && <SelectView />}
    </>
  )
}

function SelectView() {
  const { projectId } = useInboxPlace()
  const { data, isPending } = useQuery(ticketCountQuery(projectId, useListFilters()))
  const count = data && `${printNumber(data.total)}${data.isCapped ? '+' : ''}`
  return (
    <Button
      fullWidth
      variant="light"
      size="compact-md"
      radius={0}
      aria-busy={isPending}
      onClick={() => runAction('select view')}
    >
      {count ? text.bulk.selectViewOf(count) : text.inbox.selectView}
    </Button>
  )
}

/** These have buttons; the others are in the menu. */
const shown = ['take', 'assign', 'snooze', 'tags']

function BulkActions({ chosen }: { chosen: Ticket[] }) {
  const { operatorId, role } = useProject()
  const actions = listBulkActions(
    operatorId,
    role,
    chosen.every(({ is_spam }) => is_spam),
  )
  const end = chosen.every(({ status }) => status === 'closed') ? 'reopen' : 'close'
  const buttons = actions.filter(({ id }) => shown.includes(id) || id === end)
  const others = actions.filter(action => isForMany(action.id) && !buttons.includes(action))
  return (
    <div className={classes.bar} role="toolbar" aria-label={text.inbox.selected(chosen.length)}>
      <Tooltip label={<Named name={text.inbox.clearSelection} keys="escape" />}>
        <ActionIcon aria-label={text.inbox.clearSelection} onClick={clearSelection}>
          <XMarkIcon width={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <span className={classes.selected} aria-hidden>
        {text.bulk.selectedShort(printNumber(chosen.length))}
      </span>
      {buttons.map(action => (
        <ActionButton key={action.id} action={action} tickets={chosen} />
      ))}
      <BulkMenu actions={others} tickets={chosen} />
      {actions.map(action => (
        <Registered key={action.id} action={action} tickets={chosen} />
      ))}
    </div>
  )
}

const Named = ({ name, keys }: { name: string; keys: string }) => (
  <>
    {name} <Keys keys={keys} />
  </>
)

interface ActionProps {
  action: BulkAction
  tickets: Ticket[]
}

const ActionButton = ({ action, tickets }: ActionProps) => (
  <Tooltip label={<Named name={action.name()} keys={action.keys} />}>
    <ActionIcon aria-label={action.name()} onClick={() => action.run(tickets)}>
      <action.icon width={18} aria-hidden />
    </ActionIcon>
  </Tooltip>
)

const BulkMenu = ({ actions, tickets }: { actions: BulkAction[]; tickets: Ticket[] }) => (
  <Menu position="bottom-end" width={250}>
    <Menu.Target>
      <ActionIcon aria-label={text.inbox.more}>
        <EllipsisVerticalIcon width={18} aria-hidden />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      {actions.map(action => (
        <Menu.Item
          key={action.id}
          leftSection={<action.icon width={18} aria-hidden />}
          rightSection={<Keys keys={action.keys} />}
          onClick={() => action.run(tickets)}
        >
          {action.name()}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
)

function Registered({ action, tickets }: ActionProps) {
  const { id, keys, icon } = action
  useAction({
    id: `selected ${id}`,
    name: action.name(),
    group: text.inbox.selected(tickets.length),
    keys,
    icon,
    isHidden: !isForMany(id),
    isForSelection: true,
    run: () => action.run(tickets),
  })
  return null
}
