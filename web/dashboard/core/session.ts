import { createStore } from './store.ts'

/**
 * A session that ended while a page was open. Calls wait here until the person has signed in again, so that
 * nothing typed is lost.
 */
export interface SessionLapse {
  renewed: Promise<void>
  /** The session exists, but is too old for the call. */
  isStale: boolean
  renew(): void
}

const lapse = createStore<SessionLapse | null>(null)
let isKept = false

export const useSessionLapse = lapse.use

/** From now on, the end of the session is an interruption. Before, it means that nobody has signed in yet. */
export const keepSession = (): void => {
  isKept = true
}

export const forgetSession = (): void => {
  isKept = false
}

/** Null if there was no session. */
export function awaitRenewal(isStale = false): Promise<void> | null {
  if (!isKept) return null
  const current = lapse.get()
  if (current) return current.renewed
  const { promise, resolve } = Promise.withResolvers<void>()
  lapse.set({ renewed: promise, isStale, renew: resolve })
  return promise
}

/** Lets the waiting calls continue. */
export function renewSession(): void {
  const current = lapse.get()
  lapse.set(null)
  current?.renew()
}
