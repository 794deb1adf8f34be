import { createStore } from './store.ts'

const said = createStore('')

/** Announces a text to screen readers without showing it. */
export function announce(words: string): void {
  said.set('')
  requestAnimationFrame(() => said.set(words))
}

export function Announcer() {
  return (
    <div role="status" aria-live="polite" className="hidden">
      {said.use()}
    </div>
  )
}
