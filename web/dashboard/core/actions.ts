import { useEffectEvent, useLayoutEffect } from 'react'
import type { Icon } from './icon.ts'
import { createStore } from './store.ts'

/** An action that is available now. The command bar and the list of keys show the registered actions. */
export interface Action {
  /** If several actions have the same id, the newest wins until it is unregistered. */
  id: string
  name: string
  /** The heading in the list of keys. */
  group?: string
  /** `mod+k` (Ctrl, or Command on a Mac), `r`, or a sequence such as `g i`. */
  keys?: string
  icon?: Icon
  /** Available by its key only, not in the command bar. */
  isHidden?: boolean
  /** Acts on the selected rows. Its key does not act on the open record then. */
  isForSelection?: boolean
  run(): void
}

const registered = createStore<readonly Action[]>([])

/** The newest action of each id, in the order of registration; first those for selected rows, which take the keys of others. */
export function listActions(): Action[] {
  const newest = [...new Map(registered.get().map(action => [action.id, action])).values()]
  const forSelection = newest.filter(action => action.isForSelection)
  const taken = new Set(forSelection.map(({ keys }) => keys))
  return [
    ...forSelection,
    ...newest.filter(({ isForSelection, keys }) => !isForSelection && !(keys && taken.has(keys))),
  ]
}

/** Does what the key of the action does. */
export const runAction = (id: string): void =>
  listActions()
    .find(action => action.id === id)
    ?.run()

/** Follows changes only while `isShown`, because a page registers many actions at once. */
export function useActions(isShown: boolean): Action[] {
  registered.use(isShown)
  return listActions()
}

/** Registers an action while the component is mounted; null registers nothing. */
export function useAction(action: Action | null): void {
  const run = useEffectEvent(() => action?.run())
  const { id, name, group, keys, icon, isHidden, isForSelection } = action ?? {}
  // A layout effect, so that the keys work as soon as the page is visible.
  useLayoutEffect(() => {
    if (!id || !name) return
    const own: Action = { id, name, group, keys, icon, isHidden, isForSelection, run: () => run() }
    registered.set([...registered.get(), own])
    return () => registered.set(registered.get().filter(one => one !== own))
  }, [id, name, group, keys, icon, isHidden, isForSelection])
}
