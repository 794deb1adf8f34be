import { createStore } from '../core/store.ts'
import type { Ticket } from '../tickets/queries.ts'

/** The ids of the tickets that are selected in the list. */
const selection = createStore<ReadonlySet<string>>(new Set())

/** Selected tickets that the list has not loaded. */
const further = createStore<readonly Ticket[]>([])

/** Where ranges start, and what was selected before. */
let anchor: { id: string; before: ReadonlySet<string> } | null = null

/** The loaded tickets, in the order of the list. */
let listed: readonly Ticket[] = []

export const useSelection = selection.use
export const useFurtherSelected = further.use

export const setListed = (tickets: readonly Ticket[]): void => {
  listed = tickets
}

export function clearSelection(): void {
  anchor = null
  selection.set(new Set())
  further.set([])
}

export const selectListed = (): void => selection.set(new Set(listed.map(({ id }) => id)))

export function selectTickets(tickets: Ticket[]): void {
  further.set(tickets)
  selection.set(new Set(tickets.map(({ id }) => id)))
}

export function unselect(id: string): void {
  if (selection.get().has(id)) toggleSelected(id)
}

export function toggleSelected(id: string): void {
  const next = new Set(selection.get())
  if (!next.delete(id)) next.add(id)
  anchor = { id, before: next }
  selection.set(next)
}

const placeOf = (id: string): number => listed.findIndex(one => one.id === id)

/**
 * Selects the rows between the anchor and this one. Without an anchor, the range starts at `from`. The next range from the same
 * anchor replaces this one.
 */
export function selectRange(to: string, from = to): void {
  if (!anchor || placeOf(anchor.id) < 0) anchor = { id: from, before: selection.get() }
  const [first, last] = [placeOf(anchor.id), placeOf(to)].sort((one, other) => one - other)
  const range = listed.slice(first, last! + 1).map(({ id }) => id)
  selection.set(new Set([...anchor.before, ...range]))
}

/** The row's checkbox was changed by this event. */
export function tick(id: string, event: Event): void {
  if (event instanceof MouseEvent && event.shiftKey) selectRange(id)
  else toggleSelected(id)
}
