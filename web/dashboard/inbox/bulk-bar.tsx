import { ArchiveBoxIcon, EllipsisVerticalIcon, UserPlusIcon, XMarkIcon } from '@heroicons/react/20/solid'
import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { text } from '../core/text.ts'
import type { Ticket } from '../tickets/queries.ts'
import { actOnAll } from './bulk.ts'
import { openTicketDialog, type TicketDialog } from './dialog-state.ts'
import classes from './list.module.css'
import { clearSelection, useSelection } from './selection.ts'

const questions: [TicketDialog, keyof typeof text.actions & TicketDialog][] = [
  ['assign', 'assign'],
  ['transfer', 'transfer'],
  ['snooze', 'snooze'],
  ['priority', 'priority'],
  ['tags', 'tags'],
]

/** Replaces the search while rows are selected, with actions on all of them. */
export default function BulkBar({ tickets }: { tickets: Ticket[] }) {
  const selected = useSelection()
  if (selected.size === 0) return null
  const chosen = tickets.filter(({ id }) => selected.has(id))
  return (
    <div className={classes.bar} role="toolbar" aria-label={text.inbox.selected(selected.size)}>
      <ActionIcon aria-label={text.inbox.clearSelection} onClick={clearSelection}>
        <XMarkIcon width={18} aria-hidden />
      </ActionIcon>
      <span className={classes.selected}>{text.inbox.selected(selected.size)}</span>
      <Tooltip label={text.actions.assign}>
        <ActionIcon
          size="lg"
          aria-label={text.actions.assign}
          onClick={() => openTicketDialog('assign', chosen)}
        >
          <UserPlusIcon width={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={text.actions.close}>
        <ActionIcon
          size="lg"
          aria-label={text.actions.close}
          onClick={() => actOnAll(chosen, { action: 'close' })}
        >
          <ArchiveBoxIcon width={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <BulkMenu tickets={chosen} />
    </div>
  )
}

function BulkMenu({ tickets }: { tickets: Ticket[] }) {
  const act = (action: 'take' | 'reopen' | 'read' | 'unread') => () => actOnAll(tickets, { action })
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon size="lg" aria-label={text.inbox.more}>
          <EllipsisVerticalIcon width={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={act('take')}>{text.actions.take}</Menu.Item>
        {questions.map(([question, name]) => (
          <Menu.Item key={question} onClick={() => openTicketDialog(question, tickets)}>
            {text.actions[name]}
          </Menu.Item>
        ))}
        <Menu.Item onClick={act('reopen')}>{text.actions.reopen}</Menu.Item>
        <Menu.Item onClick={act('read')}>{text.actions.read}</Menu.Item>
        <Menu.Item onClick={act('unread')}>{text.actions.unread}</Menu.Item>
        <Menu.Item onClick={() => actOnAll(tickets, { action: 'change', change: { is_spam: true } })}>
          {text.actions.spam}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
