import { createStore } from '../core/store.ts'
import type { Message } from './queries.ts'

/** The message that is being edited in a dialog. */
const edited = createStore<Message | null>(null)
export const useEdited = edited.use
export const editMessage = edited.set

/** The message that is being forwarded in a dialog. */
const forwarded = createStore<Message | null>(null)
export const useForwarded = forwarded.use
export const forwardMessage = forwarded.set

/** The message of the open ticket that the next reply quotes. */
const answered = createStore<Message | null>(null)
export const useAnswered = answered.use
export const answerMessage = answered.set

/** The email that a dialog is about. */
const asked = createStore<{ kind: 'why' | 'source'; message: Message } | null>(null)
export const useEmailDialog = asked.use
export const openEmailDialog = asked.set
