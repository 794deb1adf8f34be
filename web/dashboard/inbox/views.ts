import {
  ArchiveBoxIcon,
  AtSymbolIcon,
  BuildingOfficeIcon,
  ClockIcon,
  FunnelIcon,
  InboxIcon,
  NoSymbolIcon,
  QueueListIcon,
  RectangleStackIcon,
  UserIcon,
} from '@heroicons/react/20/solid'
import type { Icon } from '../core/icon.ts'
import { text } from '../core/text.ts'
import type { View } from '../views/queries.ts'

export type { View }

type Kind = View['kind']

const look: Record<Kind, { icon: Icon; keys?: string }> = {
  mine: { icon: UserIcon, keys: 'g m' },
  unassigned: { icon: InboxIcon, keys: 'g u' },
  mentions: { icon: AtSymbolIcon, keys: 'g n' },
  department: { icon: BuildingOfficeIcon },
  open: { icon: QueueListIcon, keys: 'g a' },
  all: { icon: RectangleStackIcon, keys: 'g e' },
  closed: { icon: ArchiveBoxIcon, keys: 'g d' },
  snoozed: { icon: ClockIcon, keys: 'g z' },
  spam: { icon: NoSymbolIcon },
  saved: { icon: FunnelIcon },
}

export const iconOf = ({ kind }: View): Icon => look[kind].icon
export const keysOf = ({ kind }: View): string | undefined => look[kind].keys

export const nameOfView = ({ kind, name }: View): string =>
  name ?? (kind === 'department' || kind === 'saved' ? '' : text.inbox[kind])
