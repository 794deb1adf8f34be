import { createStore } from '../core/store.ts'
import type { Ticket } from '../tickets/queries.ts'

export type TicketDialog =
  | 'assign'
  | 'transfer'
  | 'snooze'
  | 'priority'
  | 'status'
  | 'tags'
  | 'subject'
  | 'takeOver'
  | 'merge'
  | 'split'
  | 'delete'
  | 'print'

/** The open dialog, and the tickets that it is about. */
const asked = createStore<{ question: TicketDialog; tickets: Ticket[] } | null>(null)

export const useTicketDialog = asked.use
export const openTicketDialog = (question: TicketDialog, tickets: Ticket[]): void =>
  asked.set({ question, tickets })
export const findTicketDialog = asked.get
export const closeTicketDialog = (): void => asked.set(null)
