import { createStore } from './store.ts'

const accent = createStore<string | null>(null)

/** The colour of the project that is open, as `#rrggbb`; null is Deskbell's own. */
export const useAccent = accent.use
export const setAccent = accent.set
