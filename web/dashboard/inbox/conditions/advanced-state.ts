import { createStore } from '../../core/store.ts'

/** Whether the dialog of the advanced filter is open. */
export const advancedFilter = createStore(false)
