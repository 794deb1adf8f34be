import type { Sql } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { invalidQuery } from '../core/errors.ts'
import { parseTime, timeAfter } from '../core/time.ts'
import { countDay, findNextTicket } from './day-queries.ts'
import { lateSince, ownDepartments } from './day-views.ts'
import { showTicket } from './list.ts'
import { maxCountedTickets } from './queries.ts'
import type { Day, DayQuery } from './schema.ts'

const capped = (count: number) => ({
  count: Math.min(count, maxCountedTickets - 1),
  is_capped: count === maxCountedTickets,
})

/** Anywhere on earth, today began less than this long ago, and ends within it. */
const maxHours = 48

/** An earlier beginning would count the tickets that were closed over years. */
function requireToday({ from, until }: DayQuery): void {
  const [first, last] = [timeAfter(-maxHours * 3_600_000), timeAfter(maxHours * 3_600_000)]
  if (parseTime(from)! < first)
    throw invalidQuery('from', `The day should begin at most ${maxHours} hours ago`, from)
  if (parseTime(until)! > last)
    throw invalidQuery('until', `The day should end within ${maxHours} hours`, until)
}

/** The counts of today's lists, and the ticket that has waited longest: first of the person's own, then of those without an assignee. */
export async function showDay(sql: Sql, caller: Caller, query: DayQuery): Promise<Day> {
  requireToday(query)
  const { project, actor } = caller
  const { from, until } = query
  const departments = await ownDepartments(sql, caller)
  const [counts, next] = await Promise.all([
    countDay(sql, project.id, actor.id, { departments, from, until, late: lateSince() }),
    findNextTicket(sql, project.id, actor.id, departments),
  ])
  return {
    items: counts.map(({ kind, count }) => ({ kind, ...capped(count) })),
    next: next && {
      view: next.is_own ? 'mine' : 'my_departments',
      ticket: await showTicket(sql, caller, next.id),
    },
  }
}
