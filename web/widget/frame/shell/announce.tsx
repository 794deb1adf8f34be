import { signal } from '@preact/signals'

/** The text for screen readers. */
const said = signal('')

export function announce(words: string): void {
  // A changed text is needed to announce the same words twice.
  said.value = said.peek() === words ? `${words}\u00a0` : words
}

export const Announcer = () => (
  <div class="unseen" role="status" aria-live="polite">
    {said.value}
  </div>
)
