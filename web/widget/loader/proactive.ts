import { isPageOf } from '../../../src/core/text/page-match.ts'
import type { Proactive } from '../protocol.ts'
import type { Bubble } from './bubble.ts'
import type { Store } from './store.ts'

const dayMs = 86_400_000

interface Choice {
  /** Opens a new conversation that answers the message. */
  answer(id: string): void
  /** Called before the message disappears, and the focus with it. */
  dismissed(): void
}

/**
 * Shows the message of a page after the visitor has been there for `after_seconds`. A browser that has shown a message does not show it
 * again for `repeat_after_days`. Nothing is shown after the chat has been opened.
 */
export class ProactiveMessages {
  readonly #store: Store
  readonly #bubble: Bubble
  readonly #choice: Choice
  #messages: Proactive[] = []
  #shown: Proactive | null = null
  #timer = 0
  #page = ''
  #seconds = 0
  #isOver = false

  constructor(store: Store, bubble: Bubble, choice: Choice) {
    this.#store = store
    this.#bubble = bubble
    this.#choice = choice
  }

  set(messages: Proactive[]): void {
    if (this.#isOver) return
    this.#messages = messages
    window.clearInterval(this.#timer)
    if (messages.length) this.#timer = window.setInterval(() => this.#tick(), 1_000)
    else this.#hide()
  }

  stop(): void {
    this.set([])
    this.#isOver = true
  }

  /** Sites that change pages without loading them change only the address, and there is no standard event for it. */
  #tick(): void {
    if (location.href !== this.#page) {
      this.#page = location.href
      this.#seconds = 0
      if (this.#shown && !isPageOf(this.#shown, this.#page)) this.#hide()
    }
    if (document.visibilityState !== 'visible' || this.#shown) return
    this.#seconds += 1
    const due = this.#messages.find(one => isPageOf(one, this.#page) && !this.#isSeen(one))
    if (due && this.#seconds >= due.after_seconds) this.#show(due)
  }

  #isSeen({ id, repeat_after_days }: Proactive): boolean {
    const at = this.#store.read().seen?.[id] ?? 0
    return Date.now() - at < repeat_after_days * dayMs
  }

  /** Forgets the messages that no longer exist. */
  #remember({ id }: Proactive): void {
    const seen = this.#store.read().seen ?? {}
    const known = this.#messages.map(one => one.id).filter(one => one in seen)
    const kept = Object.fromEntries(known.map(one => [one, seen[one]!]))
    this.#store.write({ seen: { ...kept, [id]: Date.now() } })
  }

  #show(message: Proactive): void {
    this.#shown = message
    this.#remember(message)
    const close = () => {
      this.#remember(message)
      this.#choice.dismissed()
      this.#hide()
    }
    this.#bubble.show(message, { open: () => this.#choice.answer(message.id), close })
    document.addEventListener('keydown', this.#hearKey)
  }

  #hearKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') this.#bubble.dismiss()
  }

  #hide(): void {
    this.#shown = null
    this.#bubble.hide()
    document.removeEventListener('keydown', this.#hearKey)
  }
}
