import {
  ChevronLeftIcon,
  EllipsisVerticalIcon,
  IdentificationIcon,
  UserPlusIcon,
} from '@heroicons/react/20/solid'
import { ActionIcon, Button, Group, Menu, Text, Title, Tooltip } from '@mantine/core'
import { useAction } from '../core/actions.ts'
import { Avatar } from '../core/avatar.tsx'
import { Keys } from '../core/key-caps.tsx'
import { text } from '../core/text.ts'
import { moment } from '../core/time.ts'
import { IdentityMark } from '../messages/identity.tsx'
import { InChat, Viewers } from '../presence/viewers.tsx'
import { useProject } from '../projects/project.ts'
import { ChannelMark } from '../tickets/channel-mark.tsx'
import { PriorityMark, RatingMark, StatusMark } from '../tickets/marks.tsx'
import type { Ticket } from '../tickets/queries.ts'
import { listOffered, type TicketAction } from './actions.ts'
import { openTicketDialog } from './dialog-state.ts'
import { HeaderTags } from './header-tags.tsx'
import { useInboxPlace } from './inbox.ts'
import classes from './ticket.module.css'

interface Props {
  ticket: Ticket
  isPanelOpen: boolean
  onPanel(): void
}

/** The ticket's details and actions. */
export function TicketHeader({ ticket, isPanelOpen, onPanel }: Props) {
  const { operatorId, role } = useProject()
  const { openTicket } = useInboxPlace()
  const offered = listOffered(ticket, operatorId, role)
  const main = offered.find(({ id }) => id === 'close' || id === 'reopen')
  return (
    <header className={classes.header}>
      <ActionIcon className={classes.back} aria-label={text.inbox.back} onClick={() => openTicket(null)}>
        <ChevronLeftIcon width={20} aria-hidden />
      </ActionIcon>
      <div className={classes.about} data-print>
        <Title order={1} size="h2" className={classes.subject} dir="auto">
          {ticket.subject ?? text.inbox.noSubject}
        </Title>
        <Facts ticket={ticket} />
      </div>
      <Group gap={6} wrap="nowrap" className={classes.do}>
        <Viewers ticketId={ticket.id} />
        {ticket.merged_into_id === null && <Assignee ticket={ticket} />}
        {main && (
          // One button for both actions, so that it keeps the focus when its action changes.
          <Button
            size="xs"
            variant="default"
            leftSection={<main.icon width={16} aria-hidden />}
            aria-label={main.name()}
            title={main.name()}
            onClick={() => main.run(ticket, role)}
          >
            {main.name()}
          </Button>
        )}
        <PanelButton isOpen={isPanelOpen} onToggle={onPanel} />
        <More ticket={ticket} offered={offered} />
      </Group>
      {offered.map(action => (
        <Registered key={action.id} action={action} ticket={ticket} />
      ))}
    </header>
  )
}

const Facts = ({ ticket }: { ticket: Ticket }) => (
  <Group gap="xs" className={classes.facts}>
    <Text span size="xs" c="dimmed">
      {text.inbox.number(ticket.short_id)}
    </Text>
    <ChannelMark projectId={ticket.workspace_id} channel={ticket.channel} />
    <StatusMark status={ticket.status} />
    <IdentityMark identity={ticket.contact_identity} />
    <InChat ticketId={ticket.id} />
    {ticket.rating !== null && <RatingMark rating={ticket.rating} />}
    {ticket.priority !== 'normal' && <PriorityMark priority={ticket.priority} />}
    {ticket.department_name && (
      <Text span size="xs" c="dimmed">
        {ticket.department_name}
      </Text>
    )}
    {ticket.snoozed_until && (
      <Text span size="xs" c="dimmed">
        {text.inbox.snoozedUntil(moment(ticket.snoozed_until))}
      </Text>
    )}
    {ticket.tags.length > 0 && <HeaderTags key={ticket.id} tags={ticket.tags} />}
  </Group>
)

function PanelButton({ isOpen, onToggle }: { isOpen: boolean; onToggle(): void }) {
  useAction({ id: 'panel', name: text.inbox.panel, group: text.actions.group, keys: '.', run: onToggle })
  return (
    <Tooltip label={text.inbox.panel}>
      <ActionIcon size="lg" aria-label={text.inbox.panel} aria-pressed={isOpen} onClick={onToggle}>
        <IdentificationIcon width={20} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

function Assignee({ ticket }: { ticket: Ticket }) {
  const { operator } = ticket
  const name = operator?.name ?? text.inbox.nobody
  return (
    <Button
      size="xs"
      variant="default"
      className={classes.assignee}
      leftSection={
        operator ? (
          <Avatar size={18} src={operator.avatar_url} name={operator.name} />
        ) : (
          <UserPlusIcon width={16} aria-hidden />
        )
      }
      title={name}
      aria-label={`${text.inbox.assignee}: ${name}`}
      onClick={() => openTicketDialog('assign', [ticket])}
    >
      {name}
    </Button>
  )
}

function More({ ticket, offered }: { ticket: Ticket; offered: TicketAction[] }) {
  const { role } = useProject()
  return (
    <Menu position="bottom-end" width={250}>
      <Menu.Target>
        <ActionIcon aria-label={text.inbox.more} size="lg">
          <EllipsisVerticalIcon width={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {offered.map(action => (
          <Menu.Item
            key={action.id}
            leftSection={<action.icon width={18} aria-hidden />}
            rightSection={<Keys keys={action.keys} />}
            onClick={() => action.run(ticket, role)}
          >
            {action.name()}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function Registered({ action, ticket }: { action: TicketAction; ticket: Ticket }) {
  const { role } = useProject()
  const { id, keys, icon } = action
  const run = () => action.run(ticket, role)
  useAction({ id, keys, icon, name: action.name(), group: text.actions.group, run })
  return null
}
