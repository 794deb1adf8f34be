import type { Sql } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { countSearch, isCostlySearch } from '../tickets/tickets.ts'
import { toSearch } from './find.ts'
import { listProblems } from './problems.ts'
import {
  countDepartments,
  countViews,
  listSavedViews,
  maxCountedInSavedView,
  maxCountedTickets,
} from './queries.ts'
import { toView } from './saved.ts'
import type { View } from './schema.ts'

const capped = (count: number, max = maxCountedTickets) => ({
  count: Math.min(count, max - 1),
  is_capped: count === max,
})

const plain = {
  ...{ name: null, filters: null, owner_id: null, is_shared: false, created_at: null, department_id: null },
  ...{ columns: null, density: null, version: null },
  visibility: 'everyone',
  layout: 'list',
} as const

async function countSaved(sql: Sql, { project, actor }: Caller, view: View): Promise<View> {
  const search = toSearch(view.filters ?? {}, actor.id)
  if (isCostlySearch(search)) return view
  const count = await countSearch(sql, project.id, search, maxCountedInSavedView)
  return count === null ? view : { ...view, ...capped(count, maxCountedInSavedView) }
}

/** Saved views can have any filters, and no index serves all of them, so only the first ones are counted, a few at a time. */
const countedViews = 20
const atOnce = 4

async function countFirst(sql: Sql, caller: Caller, saved: View[]): Promise<View[]> {
  const views: View[] = []
  for (let at = 0; at < Math.min(saved.length, countedViews); at += atOnce) {
    const some = saved.slice(at, Math.min(at + atOnce, countedViews))
    views.push(...(await Promise.all(some.map(view => countSaved(sql, caller, view)))))
  }
  return [...views, ...saved.slice(countedViews)]
}

/** Every view of a person, with the number of its tickets. */
export async function listViews(sql: Sql, caller: Caller): Promise<View[]> {
  const { project, actor } = caller
  const [counts, departments, saved] = await Promise.all([
    countViews(sql, project.id, actor.id),
    countDepartments(sql, project.id, actor.id),
    listSavedViews(sql, project.id, actor.id),
  ])
  const problems = await listProblems(sql, project.id, saved)
  const own = saved.map((view, at) => toView(view, problems[at]))
  const builtIn = (kind: keyof typeof counts): View => ({
    ...plain,
    problems: [],
    id: kind,
    kind,
    ...capped(counts[kind]),
  })
  return [
    ...(['mine', 'unassigned', 'mentions'] as const).map(builtIn),
    ...departments.map(
      ({ id, name, count }): View => ({
        ...plain,
        problems: [],
        id,
        kind: 'department',
        name,
        ...capped(count),
      }),
    ),
    ...(['open', 'closed', 'snoozed'] as const).map(builtIn),
    { ...plain, problems: [], id: 'all', kind: 'all', count: null, is_capped: false },
    builtIn('spam'),
    ...(await countFirst(sql, caller, own)),
  ]
}
