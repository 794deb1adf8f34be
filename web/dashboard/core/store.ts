import { useSyncExternalStore } from 'react'

/** A value outside of React that components can subscribe to. */
export interface Store<T> {
  get(): T
  set(next: T): void
  subscribe(listener: () => void): () => void
  /** With `isFollowing` false, the component sees changes only when it renders for another reason. */
  use(isFollowing?: boolean): T
}

const nothing = () => () => {}

export function createStore<T>(first: T): Store<T> {
  let value = first
  const listeners = new Set<() => void>()
  const get = () => value
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    get,
    subscribe,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const listener of listeners) listener()
    },
    use: (isFollowing = true) => useSyncExternalStore(isFollowing ? subscribe : nothing, get),
  }
}
