import type { Proactive } from '../protocol.ts'
import { make } from './element.ts'

interface Choice {
  open(): void
  close(): void
}

const initialOf = (name: string): string => [...name.trim()][0]?.toUpperCase() ?? ''

/** The picture of the sender, or the first letter of the name if there is none or the site forbids it. */
function makeFace({ sender: { name, avatar_url } }: Proactive, host: string): HTMLElement {
  const letter = make('span', { class: 'face', 'aria-hidden': 'true' }, initialOf(name))
  if (!avatar_url) return letter
  const picture = make('img', { class: 'face', src: new URL(avatar_url, host).href, alt: '' })
  picture.onerror = () => picture.replaceWith(letter)
  return picture
}

/** A small message beside the launcher. Screen readers read it when they have finished their sentence. */
export class Bubble {
  readonly element = make('div', { class: 'bubble', 'aria-live': 'polite' })
  readonly #label: string
  readonly #host: string

  constructor(host: string, label: string) {
    this.#host = host
    this.#label = label
  }

  show(message: Proactive, { open, close }: Choice): void {
    const name = make('strong', { dir: 'auto' }, message.sender.name)
    const words = make('span', { class: 'said', dir: 'auto' }, message.text)
    const told = make('span', {}, name, words)
    const reply = make('button', { class: 'tell', type: 'button' }, makeFace(message, this.#host), told)
    const dismiss = make('button', { class: 'dismiss', type: 'button', 'aria-label': this.#label }, '×')
    reply.onclick = open
    dismiss.onclick = close
    this.element.replaceChildren(reply, dismiss)
  }

  /** The same as a click on the button that closes it. */
  dismiss(): void {
    this.element.querySelector<HTMLElement>('.dismiss')?.click()
  }

  hide(): void {
    this.element.replaceChildren()
  }
}
