import type { Sql } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { timeAfter } from '../core/time.ts'
import { type TicketSearch, ticketStatuses } from '../tickets/schema.ts'
import { listOwnDepartments } from './day-queries.ts'
import type { DayKind } from './schema.ts'

/** The lists that the numbers of the first screen open. */

const dayMs = 24 * 60 * 60_000

export const lateSince = (): string => timeAfter(-dayMs)

export const waiting: TicketSearch = {
  sort: 'waiting_since',
  status: ticketStatuses.filter(status => status !== 'closed'),
  is_snoozed: false,
}

/** A person who is in no department takes tickets of all departments. */
export async function ownDepartments(sql: Sql, { project, actor }: Caller): Promise<string[] | null> {
  const ids = await listOwnDepartments(sql, project.id, actor.id)
  return ids.length ? ids : null
}

const searches: Record<DayKind, (operatorId: string, departments: string[] | null) => TicketSearch> = {
  my_departments: (_, department_id) => ({
    ...waiting,
    operator_id: ['none'],
    ...(department_id && { department_id }),
  }),
  unread_mentions: id => ({ mentioned_id: id, unread_mentions: true }),
  late: () => ({ ...waiting, waiting_before: lateSince() }),
  my_snoozed: id => ({ is_snoozed: true, operator_id: [id] }),
  my_closed: id => ({ status: ['closed'], closed_by_id: id }),
}

export async function findDayView(sql: Sql, caller: Caller, kind: DayKind): Promise<TicketSearch> {
  const departments = kind === 'my_departments' ? await ownDepartments(sql, caller) : null
  return searches[kind](caller.actor.id, departments)
}
