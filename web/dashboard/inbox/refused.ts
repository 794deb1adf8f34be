import { createStore } from '../core/store.ts'
import type { Ticket } from '../tickets/queries.ts'

interface Refused {
  title: string
  about: string
  tickets: { ticket: Ticket; why: string }[]
}

/** The tickets that the last action on many tickets could not change. */
const refused = createStore<Refused | null>(null)
export const useRefused = refused.use
export const forgetRefused = (): void => refused.set(null)

/** Lists the tickets in a dialog, if there are any. */
export const showRefused = (list: Refused): void => refused.set(list.tickets.length > 0 ? list : null)
