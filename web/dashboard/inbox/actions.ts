import {
  ArchiveBoxIcon,
  ArrowRightCircleIcon,
  ArrowsPointingInIcon,
  ArrowUturnUpIcon,
  BellSnoozeIcon,
  FlagIcon,
  HandRaisedIcon,
  PencilIcon,
  ScissorsIcon,
  SignalIcon,
  SunIcon,
  TagIcon,
  UserPlusIcon,
} from '@heroicons/react/20/solid'
import { text } from '../core/text.ts'
import { mayDo, type Role } from '../projects/project.ts'
import type { Ticket } from '../tickets/queries.ts'
import { patch, reopen, takeTicket } from './change.ts'
import { openTicketDialog } from './dialog-state.ts'
import { closeAndLeave, closeAndOpenNext } from './done.ts'
import { always, markActions, type TicketAction } from './mark-actions.ts'

export type { TicketAction } from './mark-actions.ts'

const isOpen = ({ status }: Ticket): boolean => status !== 'closed'
const isClosed = (ticket: Ticket): boolean => !isOpen(ticket)

/** All actions on a ticket, in the order of its menu. */
export const ticketActions: TicketAction[] = [
  {
    id: 'take',
    name: () => text.actions.take,
    keys: 't',
    icon: HandRaisedIcon,
    fits: ({ operator_id }) => operator_id === null,
    run: takeTicket,
  },
  {
    id: 'take over',
    name: () => text.actions.takeOver,
    keys: 'shift+t',
    icon: HandRaisedIcon,
    fits: ({ operator_id }, own) => operator_id !== null && operator_id !== own,
    run: ticket => openTicketDialog('takeOver', [ticket]),
  },
  {
    id: 'assign',
    name: () => text.actions.assign,
    keys: 'a',
    icon: UserPlusIcon,
    fits: always,
    run: ticket => openTicketDialog('assign', [ticket]),
  },
  {
    id: 'transfer',
    name: () => text.actions.transfer,
    keys: 'f',
    icon: ArrowRightCircleIcon,
    fits: always,
    run: ticket => openTicketDialog('transfer', [ticket]),
  },
  {
    id: 'snooze',
    name: () => text.actions.snooze,
    keys: 's',
    icon: BellSnoozeIcon,
    fits: isOpen,
    run: ticket => openTicketDialog('snooze', [ticket]),
  },
  {
    id: 'wake',
    name: () => text.actions.wake,
    keys: 'shift+s',
    icon: SunIcon,
    fits: ({ snoozed_until }) => snoozed_until !== null,
    run: ticket => patch(ticket, { snoozed_until: null, status: 'open' }),
  },
  {
    id: 'priority',
    name: () => text.actions.priority,
    keys: 'p',
    icon: FlagIcon,
    fits: always,
    run: ticket => openTicketDialog('priority', [ticket]),
  },
  {
    id: 'status',
    name: () => text.actions.status,
    keys: 'shift+p',
    icon: SignalIcon,
    fits: isOpen,
    run: ticket => openTicketDialog('status', [ticket]),
  },
  {
    id: 'tags',
    name: () => text.actions.tags,
    keys: 'l',
    icon: TagIcon,
    fits: always,
    run: ticket => openTicketDialog('tags', [ticket]),
  },
  {
    id: 'subject',
    name: () => text.actions.subject,
    keys: 'e',
    icon: PencilIcon,
    fits: always,
    run: ticket => openTicketDialog('subject', [ticket]),
  },
  {
    id: 'close',
    name: () => text.actions.close,
    keys: 'c',
    icon: ArchiveBoxIcon,
    fits: isOpen,
    run: closeAndLeave,
  },
  {
    id: 'close and next',
    name: () => text.actions.closeNext,
    keys: 'shift+c',
    icon: ArchiveBoxIcon,
    fits: isOpen,
    run: closeAndOpenNext,
  },
  {
    id: 'reopen',
    name: () => text.actions.reopen,
    keys: 'o',
    icon: ArrowUturnUpIcon,
    fits: ticket => isClosed(ticket) && ticket.merged_into_id === null,
    run: reopen,
  },
  {
    id: 'merge',
    name: () => text.actions.merge,
    keys: 'm',
    icon: ArrowsPointingInIcon,
    fits: ({ merged_into_id }) => merged_into_id === null,
    run: ticket => openTicketDialog('merge', [ticket]),
  },
  {
    id: 'split',
    name: () => text.actions.split,
    keys: 'shift+m',
    icon: ScissorsIcon,
    fits: ({ messages_count }) => messages_count > 1,
    run: ticket => openTicketDialog('split', [ticket]),
  },
  ...markActions,
]

/** A merged ticket is read-only, apart from these actions. */
const ofMerged = ['unread', 'link', 'print', 'delete']

/** Whether the action applies to the ticket. */
export const isOffered = ({ id, fits }: TicketAction, ticket: Ticket, operatorId: string): boolean =>
  fits(ticket, operatorId) && (ticket.merged_into_id === null || ofMerged.includes(id))

export const listOffered = (ticket: Ticket, operatorId: string, role: Role): TicketAction[] =>
  ticketActions.filter(
    action => mayDo(role, action.minRole ?? 'operator') && isOffered(action, ticket, operatorId),
  )
