/** Keys typed before the field of the command bar has the focus go into the field too. */

/** Longer than it takes to load the bar. */
const maxWaitMs = 5_000

const isLetter = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.length === 1 && !ctrlKey && !metaKey && !altKey

const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('[data-command-field]')

/** Passes letters to `change` until the field has the focus or is no longer wanted. */
export function catchEarlyKeys(isWanted: () => boolean, change: Change): void {
  const take = (event: KeyboardEvent) => {
    if (!isWanted() || isField(event.target) || event.key === 'Escape') return end()
    if (!isLetter(event) && event.key !== 'Backspace') return
    event.preventDefault()
    event.stopImmediatePropagation()
    change(words => (event.key === 'Backspace' ? words.slice(0, -1) : words + event.key))
  }
  const end = () => {
    window.removeEventListener('keydown', take, true)
    window.clearTimeout(timer)
  }
  window.addEventListener('keydown', take, true)
  const timer = window.setTimeout(end, maxWaitMs)
}

type Change = (next: (words: string) => string) => void
