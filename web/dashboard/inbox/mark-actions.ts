import {
  EnvelopeIcon,
  LinkIcon,
  NoSymbolIcon,
  PaperAirplaneIcon,
  PrinterIcon,
  TrashIcon,
} from '@heroicons/react/20/solid'
import { copyText } from '../core/copy.ts'
import type { Icon } from '../core/icon.ts'
import { text } from '../core/text.ts'
import type { Role } from '../projects/project.ts'
import type { Ticket } from '../tickets/queries.ts'
import { emailTranscript, markUnread, patch } from './change.ts'
import { openTicketDialog } from './dialog-state.ts'
import { markAsSpam } from './spam.ts'

export interface TicketAction {
  id: string
  name(): string
  keys: string
  icon: Icon
  /** The lowest role that may use the action; everyone by default. */
  minRole?: Role
  /** Whether the action applies to this ticket. */
  fits(ticket: Ticket, operatorId: string): boolean
  run(ticket: Ticket, role: Role): unknown
}

export const always = () => true

const copyLink = ({ workspace_id, short_id }: Ticket): Promise<void> =>
  copyText(`${location.origin}/p/${workspace_id}/inbox/open/${short_id}`, text.actions.linkCopied)

/** The last actions in the menu of a ticket: they mark or share it. */
export const markActions: TicketAction[] = [
  {
    id: 'spam',
    name: () => text.actions.spam,
    keys: '!',
    icon: NoSymbolIcon,
    fits: ({ is_spam }) => !is_spam,
    run: markAsSpam,
  },
  {
    id: 'not spam',
    name: () => text.actions.notSpam,
    keys: '!',
    icon: NoSymbolIcon,
    fits: ({ is_spam }) => is_spam,
    run: ticket => patch(ticket, { is_spam: false }),
  },
  {
    id: 'unread',
    name: () => text.actions.unread,
    keys: 'u',
    icon: EnvelopeIcon,
    fits: always,
    run: markUnread,
  },
  {
    id: 'transcript',
    name: () => text.actions.emailCopy,
    keys: 'shift+e',
    icon: PaperAirplaneIcon,
    fits: ({ contact, messages_count }) => contact.email !== null && messages_count > 0,
    run: emailTranscript,
  },
  {
    id: 'link',
    name: () => text.actions.copyLink,
    keys: 'y',
    icon: LinkIcon,
    fits: always,
    run: copyLink,
  },
  {
    id: 'print',
    name: () => text.actions.print,
    keys: 'mod+p',
    icon: PrinterIcon,
    fits: ({ messages_count }) => messages_count > 0,
    run: ticket => openTicketDialog('print', [ticket]),
  },
  {
    id: 'delete',
    name: () => text.personalData.deleteTicket,
    keys: '#',
    icon: TrashIcon,
    minRole: 'admin',
    fits: always,
    run: ticket => openTicketDialog('delete', [ticket]),
  },
]
