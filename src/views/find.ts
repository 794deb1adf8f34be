import type { Sql } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { ApiError } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { isOneOf, keysOf } from '../core/objects.ts'
import { findDepartment } from '../operators/operators.ts'
import { type TicketSearch, ticketStatuses } from '../tickets/schema.ts'
import { findSavedView } from './queries.ts'
import type { View, ViewFilters, ViewListQuery } from './schema.ts'

/** The searches of the views. */

const waiting: TicketSearch = {
  status: ticketStatuses.filter(status => status !== 'closed'),
  is_snoozed: false,
}

type Kind = Exclude<View['kind'], 'department' | 'saved'>

const builtIn: Record<Kind, (operatorId: string) => TicketSearch> = {
  mine: id => ({ ...waiting, operator_id: [id] }),
  unassigned: () => ({ ...waiting, operator_id: ['none'] }),
  mentions: id => ({ mentioned_id: id }),
  open: () => waiting,
  closed: () => ({ status: ['closed'] }),
  snoozed: () => ({ is_snoozed: true }),
  all: () => ({}),
  spam: () => ({ is_spam: true }),
}

/** Translates the filters of a person's list into those of all lists. */
export function toSearch({ unread, operator_id, ...query }: ViewFilters, operatorId: string): TicketSearch {
  return {
    ...query,
    ...(operator_id && { operator_id: operator_id.map(id => (id === 'me' ? operatorId : id)) }),
    ...(unread && { unread_by: operatorId }),
    ...(query.q !== undefined && { viewer_id: operatorId }),
  }
}

async function findView(sql: Sql, { project, actor }: Caller, view: string): Promise<TicketSearch> {
  if (isOneOf(view, keysOf(builtIn))) return builtIn[view](actor.id)
  if (isId(view)) {
    const saved = await findSavedView(sql, project.id, actor.id, view)
    if (saved) return toSearch(saved.filters, actor.id)
    if (await findDepartment(sql, project.id, view)) return { ...waiting, department_id: [view] }
  }
  throw new ApiError('VIEW_NOT_FOUND')
}

/** The filters of the view, overridden by those of the query. */
export async function readListQuery(sql: Sql, caller: Caller, query: ViewListQuery): Promise<TicketSearch> {
  const { view, ...own } = query
  const base = view === undefined ? {} : await findView(sql, caller, view)
  return { sort: '-last_message_at', ...base, ...toSearch(own, caller.actor.id) }
}
