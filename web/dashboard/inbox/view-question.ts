import { createStore } from '../core/store.ts'
import type { View } from '../views/queries.ts'

/** The open dialog about a view. The dialogs are outside of the menu that opens them, because it closes on a click elsewhere. */
export const viewQuestion = createStore<'save' | 'edit' | 'remove' | null>(null)

/** Mentions, and the lists that the first screen opens, have no filters that a saved view could keep. */
export const canBeSaved = (view: View | undefined): boolean => view !== undefined && view.kind !== 'mentions'
