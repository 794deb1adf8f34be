import { createStore } from './store.ts'

/** A session that ended under an open page: calls wait here until somebody has signed in again, and nothing typed is lost. */
export interface SessionLapse {
  renewed: Promise<void>
  /** The session is there, and too old for what was asked. */
  isStale: boolean
  renew(): void
}

const lapse = createStore<SessionLapse | null>(null)
let isKept = false

export const useSessionLapse = lapse.use

/** From now on the end of the session is an interruption; before, it means that nobody has signed in yet. */
export const keepSession = (): void => {
  isKept = true
}

export const forgetSession = (): void => {
  isKept = false
}

/** Null when there was no session to lose. */
export function awaitRenewal(isStale = false): Promise<void> | null {
  if (!isKept) return null
  const current = lapse.get()
  if (current) return current.renewed
  const { promise, resolve } = Promise.withResolvers<void>()
  lapse.set({ renewed: promise, isStale, renew: resolve })
  return promise
}

/** Lets the waiting calls go on. */
export function renewSession(): void {
  const current = lapse.get()
  lapse.set(null)
  current?.renew()
}
