import { signal } from '@preact/signals'

/** What is said to those who do not see the screen. */
const said = signal('')

export function announce(words: string): void {
  // The same words twice are said twice.
  said.value = said.peek() === words ? `${words}\u00a0` : words
}

export const Announcer = () => (
  <div class="unseen" role="status" aria-live="polite">
    {said.value}
  </div>
)
