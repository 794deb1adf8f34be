import { createStore } from './store.ts'

/** Messages about actions. Most offer to undo the action. Only the newest is shown. */

/** At the bottom of the page, or of the open conversation, so that a toast does not cover the editor below it. */
export type ToastPlace = 'ticket' | 'page'

export interface Toast {
  id: string
  message: string
  seconds: number
  undo?(): unknown
  /** A further action that the toast offers. */
  more?: { label: string; run(): unknown }
}

export interface ShownToast extends Toast {
  /** When the toast disappears, in milliseconds. */
  until: number
}

const toasts = createStore<readonly ShownToast[]>([])
const places = createStore<readonly ToastPlace[]>([])

export const closeToast = (id: string): void => toasts.set(toasts.get().filter(one => one.id !== id))

export function showToast(toast: Toast): void {
  const shown = { ...toast, until: Date.now() + toast.seconds * 1_000 }
  toasts.set([...toasts.get().filter(one => one.id !== toast.id), shown])
  // A toast with the same id may have been shown again since.
  window.setTimeout(() => toasts.get().includes(shown) && closeToast(toast.id), toast.seconds * 1_000)
}

export function undoToast({ id, undo }: ShownToast): void {
  closeToast(id)
  undo?.()
}

/** The newest action that can be undone; null if there is none. */
export const findUndoable = (): ShownToast | null => toasts.get().findLast(one => one.undo) ?? null

/** Registers a part of the page that can show toasts, until the returned function is called. */
export function addToastPlace(place: ToastPlace): () => void {
  places.set([...places.get(), place])
  return () => {
    const at = places.get().indexOf(place)
    places.set(places.get().filter((_, other) => other !== at))
  }
}

const isShownIn = (place: ToastPlace, available: readonly ToastPlace[]): boolean =>
  place === 'ticket' || !available.includes('ticket')

/** The newest toast, if this part of the page is the one to show it. */
export function useToast(place: ToastPlace): ShownToast | null {
  const available = places.use()
  const newest = toasts.use().at(-1)
  return newest && isShownIn(place, available) ? newest : null
}

/** Work that takes a while. */
export interface Progress {
  message: string
  done: number
  total: number
  cancel(): void
}

const progress = createStore<Progress | null>(null)
export const showProgress = progress.set

export function useProgress(place: ToastPlace): Progress | null {
  const available = places.use()
  const now = progress.use()
  return now && isShownIn(place, available) ? now : null
}
