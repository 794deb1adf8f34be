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
import { queryOptions } from '@tanstack/react-query'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import type { Icon } from '../core/icon.ts'
import { text } from '../core/text.ts'

export type View = Shape<'View'>
type Kind = View['kind']

const look: Record<Kind, { icon: Icon; keys?: string }> = {
  mine: { icon: UserIcon, keys: 'g m' },
  unassigned: { icon: InboxIcon, keys: 'g u' },
  mentions: { icon: AtSymbolIcon, keys: 'g n' },
  department: { icon: BuildingOfficeIcon },
  open: { icon: QueueListIcon, keys: 'g a' },
  closed: { icon: ArchiveBoxIcon, keys: 'g d' },
  snoozed: { icon: ClockIcon, keys: 'g z' },
  spam: { icon: NoSymbolIcon },
  saved: { icon: FunnelIcon },
}

export const iconOf = ({ kind }: View): Icon => look[kind].icon
export const keysOf = ({ kind }: View): string | undefined => look[kind].keys

export const nameOfView = ({ kind, name }: View): string =>
  name ?? (kind === 'department' || kind === 'saved' ? '' : text.inbox[kind])

const unknown = {
  name: null,
  count: null,
  is_capped: false,
  filters: null,
  owner_id: null,
  is_shared: false,
  created_at: null,
}
const always: Kind[] = ['mine', 'unassigned', 'mentions', 'open', 'snoozed', 'closed', 'spam']

/** Those that every project has, shown until the server has counted. */
const firstViews: View[] = always.map(kind => ({ ...unknown, id: kind, kind }))

export const viewsQuery = (project_id: string) =>
  queryOptions({
    queryKey: ['views', project_id],
    queryFn: async ({ signal }) =>
      (await take(api.GET('/projects/{project_id}/views', { params: { path: { project_id } }, signal })))
        .items,
    placeholderData: firstViews,
  })
