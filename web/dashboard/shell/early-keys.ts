/** What somebody types before the field of the command bar has the focus belongs into it too. */

/** Longer than it takes the bar to open. */
const longest = 1_500

const isLetter = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.length === 1 && !ctrlKey && !metaKey && !altKey

/** Until the field has the focus, its letters go to `change`. */
export function catchEarlyKeys(isField: (target: EventTarget | null) => boolean, change: Change): void {
  const take = (event: KeyboardEvent) => {
    if (isField(event.target) || event.key === 'Escape') return end()
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
  const timer = window.setTimeout(end, longest)
}

type Change = (next: (words: string) => string) => void
