import { createStore } from '../core/store.ts'

/** The ids of the tickets that are selected in the list. */
const selection = createStore<ReadonlySet<string>>(new Set())

export const useSelection = selection.use
export const listSelected = (): string[] => [...selection.get()]
export const clearSelection = (): void => selection.set(new Set())
export const selectAll = (ids: string[]): void => selection.set(new Set(ids))

export function toggleSelected(id: string): void {
  const next = new Set(selection.get())
  if (!next.delete(id)) next.add(id)
  selection.set(next)
}
