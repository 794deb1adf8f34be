import { createStore } from '../core/store.ts'
import type { Message } from './queries.ts'

/** The message that is being changed, in a dialog. */
const edited = createStore<Message | null>(null)
export const useEdited = edited.use
export const editMessage = edited.set

/** The message that the next reply answers, of the ticket that is open. */
const answered = createStore<Message | null>(null)
export const useAnswered = answered.use
export const answerMessage = answered.set
