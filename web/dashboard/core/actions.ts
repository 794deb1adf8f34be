import { useEffectEvent, useLayoutEffect } from 'react'
import type { Icon } from './icon.ts'
import { createStore } from './store.ts'

/** Something that can be done now. The command bar and the list of keys show what pages have registered. */
export interface Action {
  /** One at a time has it; the newest wins, and the one before comes back when it goes. */
  id: string
  name: string
  /** A heading in the list of keys. */
  group?: string
  /** `mod+k` (Ctrl, or Command on a Mac), `r`, or one after the other: `g i`. */
  keys?: string
  icon?: Icon
  /** Only by its key, not in the command bar. */
  isHidden?: boolean
  run(): void
}

const registered = createStore<readonly Action[]>([])

/** The newest of each id, in the order in which they came. */
export const listActions = (): Action[] => [
  ...new Map(registered.get().map(action => [action.id, action])).values(),
]

/** Only while `isShown`: a page registers many at once. */
export function useActions(isShown: boolean): Action[] {
  registered.use(isShown)
  return listActions()
}

/** Registers an action while the component is shown; null registers nothing. */
export function useAction(action: Action | null): void {
  const run = useEffectEvent(() => action?.run())
  const { id, name, group, keys, icon, isHidden } = action ?? {}
  // With the page and not after it: whoever sees it may press its keys.
  useLayoutEffect(() => {
    if (!id || !name) return
    const own: Action = { id, name, group, keys, icon, isHidden, run: () => run() }
    registered.set([...registered.get(), own])
    return () => registered.set(registered.get().filter(one => one !== own))
  }, [id, name, group, keys, icon, isHidden])
}
