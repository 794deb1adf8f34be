import {
  ArchiveBoxIcon,
  AtSymbolIcon,
  BuildingOfficeIcon,
  ClockIcon,
  FunnelIcon,
  InboxIcon,
  NoSymbolIcon,
  QueueListIcon,
  UserIcon,
} from '@heroicons/react/20/solid'
import type { Icon } from '../core/icon.ts'
import { text } from '../core/text.ts'
import type { Status, TicketFilters } from './queries.ts'

export interface View {
  /** In the address. */
  id: string
  name: string
  icon: Icon
  keys?: string
  filters: TicketFilters
}

const active: Status[] = ['new', 'open', 'pending', 'on_hold']

export const builtIn = (operatorId: string): View[] => [
  {
    id: 'mine',
    name: text.inbox.mine,
    icon: UserIcon,
    keys: 'g m',
    filters: { operator_id: [operatorId], status: active },
  },
  {
    id: 'unassigned',
    name: text.inbox.unassigned,
    icon: InboxIcon,
    keys: 'g u',
    filters: { operator_id: ['none'], status: active },
  },
  { id: 'open', name: text.inbox.open, icon: QueueListIcon, keys: 'g a', filters: { status: active } },
  { id: 'closed', name: text.inbox.closed, icon: ArchiveBoxIcon, filters: { status: ['closed'] } },
  { id: 'spam', name: text.inbox.spam, icon: NoSymbolIcon, filters: { is_spam: true } },
]

export const icons = {
  mentions: AtSymbolIcon,
  snoozed: ClockIcon,
  department: BuildingOfficeIcon,
  saved: FunnelIcon,
}
