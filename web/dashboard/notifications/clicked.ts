import { createStore } from '../core/store.ts'

/**
 * The page of the notification that was clicked last. `main.tsx` imports this file, so that it listens before the page is rendered:
 * the browser keeps messages of the service worker only until the document is parsed.
 */
const clicked = createStore<string | null>(null)

navigator.serviceWorker?.addEventListener('message', ({ data }: MessageEvent<{ open?: string }>) => {
  if (data.open) clicked.set(data.open)
})

export const useClicked = (): string | null => clicked.use()
export const forgetClicked = (): void => clicked.set(null)
