import { effect, signal } from '@preact/signals'
import { token } from '../core/api.ts'
import { tell } from '../core/bridge.ts'
import type { Line } from './list.ts'

/** The unsent text of each conversation, so that nothing is lost by leaving it. */
export const drafts = signal<Record<string, string>>({})

export const setDraft = (id: string, words: string): void => {
  drafts.value = { ...drafts.peek(), [id]: words }
}

/** Stores the drafts in the page, which may be reloaded during typing. */
export const keepDrafts = (): void =>
  void effect(() => tell({ type: 'drafts', drafts: { token: token.value, words: drafts.value } }))

/** Moves the draft of a conversation whose id has changed. */
export function moveDraft(from: string, to: string): void {
  const { [from]: words, ...others } = drafts.peek()
  if (words) drafts.value = { ...others, [to]: words }
}

/** The message that the next one quotes. */
export const answered = signal<Line | null>(null)

/** The answers to the form before the first message. */
export const details = signal<Record<string, string> | null>(null)
