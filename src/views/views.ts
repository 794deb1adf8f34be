import type { Sql } from '../core/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { countSearch } from '../tickets/tickets.ts'
import { toSearch } from './find.ts'
import { countDepartments, countViews, listSavedViews, mostCounted, type SavedView } from './queries.ts'
import { toView } from './saved.ts'
import type { View } from './schema.ts'

const capped = (count: number) => ({
  count: Math.min(count, mostCounted - 1),
  is_capped: count === mostCounted,
})

const plain = { name: null, filters: null, owner_id: null, is_shared: false, created_at: null }

/** Searching words costs more than a number beside a name is worth. */
async function countSaved(sql: Sql, { project, actor }: Caller, saved: SavedView): Promise<View> {
  if (saved.filters.q !== undefined) return toView(saved)
  const count = await countSearch(sql, project.id, toSearch(saved.filters, actor.id), mostCounted)
  return { ...toView(saved), ...capped(count) }
}

/** Every view of a person, with how many tickets it shows. */
export async function listViews(sql: Sql, caller: Caller): Promise<View[]> {
  const { project, actor } = caller
  const [counts, departments, saved] = await Promise.all([
    countViews(sql, project.id, actor.id),
    countDepartments(sql, project.id, actor.id),
    listSavedViews(sql, project.id, actor.id),
  ])
  const builtIn = (kind: keyof typeof counts): View => ({ ...plain, id: kind, kind, ...capped(counts[kind]) })
  return [
    ...(['mine', 'unassigned', 'mentions'] as const).map(builtIn),
    ...departments.map(
      ({ id, name, count }): View => ({ ...plain, id, kind: 'department', name, ...capped(count) }),
    ),
    ...(['open', 'closed', 'snoozed', 'spam'] as const).map(builtIn),
    ...(await Promise.all(saved.map(view => countSaved(sql, caller, view)))),
  ]
}

export { listTickets, showTicket } from './list.ts'
export { changeView, removeView, saveView } from './saved.ts'
