import { effect, signal } from '@preact/signals'
import { token } from '../core/api.ts'
import { tell } from '../core/bridge.ts'
import type { Line } from './list.ts'

/** What is being written, for each conversation: looking elsewhere loses nothing. */
export const drafts = signal<Record<string, string>>({})

export const setDraft = (id: string, words: string): void => {
  drafts.value = { ...drafts.peek(), [id]: words }
}

/** Pages come and go while somebody writes. */
export const keepDrafts = (): void =>
  void effect(() => tell({ type: 'drafts', drafts: { token: token.value, words: drafts.value } }))

/** The conversation has got another name. */
export function moveDraft(from: string, to: string): void {
  const { [from]: words, ...others } = drafts.peek()
  if (words) drafts.value = { ...others, [to]: words }
}

/** The message that the next one answers. */
export const answered = signal<Line | null>(null)

/** What was asked before the first message, once it is filled in. */
export const details = signal<Record<string, string> | null>(null)
