import { createStore } from './store.ts'

const accent = createStore<string | null>(null)

/** The colour of the open project as `#rrggbb`; null means Deskbell's own. */
export const useAccent = accent.use
export const setAccent = accent.set
