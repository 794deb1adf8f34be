import { signal } from '@preact/signals'

/** The current view, with a way back. */
export type Place =
  | { name: 'home' }
  | { name: 'conversations' }
  /** A ticket's id, or `new`, or `new:` and the client_id of a first message that is being sent. */
  | { name: 'conversation'; id: string }
  | { name: 'article'; id: string }

const home: Place = { name: 'home' }
const before: Place[] = []

export const place = signal<Place>(home)

export function go(next: Place): void {
  before.push(place.peek())
  place.value = next
}

export function goBack(): void {
  place.value = before.pop() ?? home
}

/** Replaces the current view, so that going back does not lead to it. */
export const replace = (next: Place): void => {
  place.value = next
}

/** Renames a conversation's id in the current view and in the history. */
export function rename(from: string, to: string): void {
  const next = (at: Place): Place => (at.name === 'conversation' && at.id === from ? { ...at, id: to } : at)
  before.splice(0, before.length, ...before.map(next))
  place.value = next(place.peek())
}

export function goHome(): void {
  before.length = 0
  place.value = home
}

/** The ticket of the current view. */
export const shownTicket = (): string | null => (place.value.name === 'conversation' ? place.value.id : null)
