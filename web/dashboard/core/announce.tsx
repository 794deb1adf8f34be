import { createStore } from './store.ts'

const said = createStore('')

/** Read out by screen readers, shown to nobody. */
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
