import { createStore } from '../core/store.ts'

/** The address that a dialog asks about. */
const asked = createStore<string | null>(null)
export const useBlocking = asked.use
export const askToBlock = asked.set
