import { getCondition, parseConditionText } from '../conditions/conditions.ts'
import type { Condition } from '../conditions/schema.ts'
import type { Sql } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { ApiError } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { isOneOf, keysOf } from '../core/objects.ts'
import { findDepartment } from '../operators/operators.ts'
import type { TicketSearch } from '../tickets/schema.ts'
import { findDayView, waiting } from './day-views.ts'
import { findSavedView } from './queries.ts'
import { dayKinds, type View, type ViewFilters, type ViewListQuery } from './schema.ts'

/** The searches of the views. */

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
    ...((query.q !== undefined || query.conditions) && { viewer_id: operatorId }),
  }
}

async function findView(sql: Sql, { project, actor }: Caller, view: string): Promise<TicketSearch> {
  if (isOneOf(view, keysOf(builtIn))) return builtIn[view](actor.id)
  if (isOneOf(view, dayKinds)) return findDayView(sql, { project, actor }, view)
  if (isId(view)) {
    const saved = await findSavedView(sql, project.id, actor.id, view)
    if (saved) return toSearch(saved.filters, actor.id)
    if (await findDepartment(sql, project.id, view)) return { ...waiting, department_id: [view] }
  }
  throw new ApiError('VIEW_NOT_FOUND')
}

async function readConditions(sql: Sql, { project }: Caller, text: string): Promise<Condition> {
  const loc = ['query', 'conditions']
  return getCondition(sql, project.id, parseConditionText(text, loc), loc)
}

/** Both conditions must hold; undefined if there are none. */
function bothOf(one: Condition | undefined, other: Condition | undefined): Condition | undefined {
  return one && other ? { all: [one, other] } : (one ?? other)
}

/** The filters of the view, overridden by those of the query, except for the conditions, of which both must hold. */
export async function readListQuery(sql: Sql, caller: Caller, query: ViewListQuery): Promise<TicketSearch> {
  const { view, conditions, ...own } = query
  const sent = conditions === undefined ? undefined : await readConditions(sql, caller, conditions)
  const base = view === undefined ? {} : await findView(sql, caller, view)
  const both = bothOf(base.conditions, sent)
  const filters = toSearch({ ...own, ...(both && { conditions: both }) }, caller.actor.id)
  // People who search for words look for the latest tickets.
  const order = own.q === undefined ? {} : { sort: '-last_message_at' }
  return { sort: '-last_message_at', ...base, ...order, ...filters }
}
