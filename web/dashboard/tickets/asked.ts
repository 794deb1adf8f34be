import { createStore } from '../core/store.ts'
import type { Ticket } from './queries.ts'

export type Question =
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

/** The dialog that is open, and the tickets that it is about. */
const asked = createStore<{ question: Question; tickets: Ticket[] } | null>(null)

export const useAsked = asked.use
export const ask = (question: Question, tickets: Ticket[]): void => asked.set({ question, tickets })
export const closeQuestion = (): void => asked.set(null)
