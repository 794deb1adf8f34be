import { parseColor, printColor, textColorOn } from '../../../src/core/text/color.ts'
import type { Appearance } from '../protocol.ts'
import { Bubble } from './bubble.ts'
import type { ButtonTexts } from './button-texts.ts'
import { make, makeSign } from './element.ts'
import { style } from './style.ts'

const bubble =
  'M20.5 11.6c0 4.2-3.8 7.6-8.5 7.6-1 0-2-.2-2.9-.5L4.2 20.3l1.4-3.9a7.1 7.1 0 0 1-2.1-4.8C3.5 7.4 7.3 4 12 4s8.5 3.4 8.5 7.6Z'
const arrow = 'm6 9.5 6 6 6-6'

/** On a phone, the panel fills the space that the keyboard leaves. */
function followScreen(root: HTMLElement): () => void {
  const screen = window.visualViewport
  const measure = () => {
    root.style.setProperty('--height', `${screen!.height}px`)
    root.style.setProperty('--top', `${screen!.offsetTop}px`)
  }
  for (const name of ['resize', 'scroll']) screen?.addEventListener(name, measure)
  return () => {
    for (const name of ['resize', 'scroll']) screen?.removeEventListener(name, measure)
  }
}

/** All elements that we add to the page: the launcher, and the panel around the frame. */
export class Box {
  readonly panel: HTMLElement
  readonly button: HTMLButtonElement
  readonly bubble: Bubble
  readonly #words: ButtonTexts
  readonly #host = make('deskbell-widget')
  readonly #root: HTMLElement
  readonly #line: SVGPathElement
  readonly #text = make('span', { class: 'words', dir: 'auto' })
  readonly #badge = make('span', { class: 'badge', 'aria-hidden': 'true' })
  readonly #standIn = make('div', { class: 'wait' })
  readonly #unfollow: () => void
  #isOpen = false
  #unread = ''
  #look: Appearance = {}

  constructor(words: ButtonTexts, theme: string, host: string) {
    const { title, dir, language } = words
    this.#words = words
    this.panel = make('div', { class: 'panel is-away', role: 'region', 'aria-label': title, id: 'panel' })
    const { sign, line } = makeSign()
    this.#line = line
    // These elements stay: a press whose target is removed before the release is not a click.
    const drawn = [sign, this.#text, this.#badge]
    this.button = make('button', { class: 'button', type: 'button', 'aria-controls': 'panel' }, ...drawn)
    this.panel.append(this.#standIn)
    this.bubble = new Bubble(host, words.dismiss)
    const parts = [this.bubble.element, this.button]
    const launcher = make('div', { role: 'complementary', 'aria-label': title }, ...parts)
    this.#root = make('div', { class: `root theme-${theme}`, dir, lang: language }, this.panel, launcher)
    const shadow = this.#host.attachShadow({ mode: 'open' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(style)
    shadow.adoptedStyleSheets = [sheet]
    shadow.append(this.#root)
    // Frameworks that replace the body do not remove it here.
    document.documentElement.append(this.#host)
    this.#unfollow = followScreen(this.#root)
    this.#draw()
  }

  get hasFocus(): boolean {
    return document.activeElement === this.#host
  }

  paint(look: Appearance): void {
    this.#look = { ...this.#look, ...look }
    this.#draw()
  }

  show(isOpen: boolean): void {
    this.#isOpen = isOpen
    this.panel.classList.toggle('is-coming', isOpen)
    this.panel.classList.toggle('is-away', !isOpen)
    this.#draw()
  }

  /** `label` is the accessible name. */
  count(count: number, label: string): void {
    this.#unread = count ? label : ''
    this.#badge.textContent = count > 99 ? '99+' : String(count)
    this.#draw()
  }

  fail(again: () => void): void {
    const retry = make('button', { type: 'button' }, this.#words.again)
    retry.onclick = () => {
      this.#standIn.className = 'wait'
      this.#standIn.replaceChildren()
      again()
    }
    this.#standIn.className = 'failure'
    this.#standIn.setAttribute('role', 'alert')
    this.#standIn.replaceChildren(make('div', {}, this.#words.failure), retry)
  }

  /** Removes the placeholder of a frame that was not loaded. */
  settle(): void {
    this.#standIn.remove()
  }

  remove(): void {
    this.#unfollow()
    this.#host.remove()
  }

  #draw(): void {
    const { color, position = 'right', launcher_text } = this.#look
    const paint = parseColor(color ?? null)
    this.#root.style.setProperty('--color', printColor(paint))
    this.#root.style.setProperty('--ink', printColor(textColorOn(paint)))
    this.#root.dataset.side = position
    this.#root.classList.toggle('is-open', this.#isOpen)
    this.#text.textContent = launcher_text ?? ''
    this.#text.hidden = this.#isOpen || !launcher_text
    this.#badge.hidden = this.#isOpen || !this.#unread
    const closed = [launcher_text || this.#words.open, this.#unread].filter(Boolean).join(', ')
    this.button.setAttribute('aria-label', this.#isOpen ? this.#words.close : closed)
    this.button.setAttribute('aria-expanded', String(this.#isOpen))
    this.#line.setAttribute('d', this.#isOpen ? arrow : bubble)
  }
}
