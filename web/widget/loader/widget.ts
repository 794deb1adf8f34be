import type { Appearance, Boot, Identity, ToPage } from '../protocol.ts'
import { fetchAppearance } from './appearance.ts'
import { makeBoot } from './boot.ts'
import { Box } from './box.ts'
import { type ButtonTexts, chooseButtonTexts } from './button-texts.ts'
import { returnFocus } from './focus.ts'
import { afterLoad, type ChatFrame, putFrame } from './frame.ts'
import { readProjectKey } from './key.ts'
import { isKnown, type Options, pickIdentity, pickLook } from './options.ts'
import { ProactiveMessages } from './proactive.ts'
import { openStore, type Store } from './store.ts'

export type Tell = (name: string, detail?: unknown) => void

/** The widget on the page, from boot to destroy. Nothing is loaded or stored before it is needed. */
export class Widget {
  readonly #options: Options
  readonly #tell: Tell
  readonly #host: string
  readonly #store: Store
  readonly #words: ButtonTexts
  readonly #box: Box
  readonly #proactive: ProactiveMessages
  readonly #unwatch: () => void
  #frame: ChatFrame | null = null
  #endLook = (): void => {}
  #isOpen = false
  #identity: Identity | null
  #key = readProjectKey()
  readonly #life = new AbortController()
  /** Whether the frame has received the boot message. */
  #isMet = false
  /** The token of a visitor logged out before that; the frame ends the session. */
  #leaving: string | null = null
  #before: HTMLElement | null = null

  constructor(host: string, options: Options, tell: Tell) {
    this.#host = host
    this.#options = options
    this.#tell = tell
    this.#identity = isKnown(options) ? pickIdentity(options) : null
    this.#store = openStore(options.project)
    this.#words = chooseButtonTexts(options.locale ? [options.locale] : navigator.languages)
    this.#box = new Box(this.#words, options.theme ?? 'auto', host)
    this.#proactive = new ProactiveMessages(this.#store, this.#box.bubble, {
      answer: id => this.open('new', id),
      dismissed: () => this.#box.hasFocus && this.#box.button.focus(),
    })
    this.#paint(this.#store.read().look ?? {})
    this.#box.button.onclick = this.toggle
    this.#box.button.onkeydown = event => {
      if (event.key === 'Escape') this.close()
    }
    this.#unwatch = this.#watch()
    if (this.#key) this.open()
    else if (this.#identity || this.#store.read().token) this.#loadSoon()
    else afterLoad(() => this.#askLook(), this.#life.signal)
  }

  #askLook(): void {
    if (this.#frame) return
    this.#endLook = fetchAppearance(this.#host, this.#options, this.#box.panel, ({ proactive, ...look }) => {
      this.#paint(look)
      this.#proactive.set(proactive ?? [])
    })
  }

  #paint = (look: Appearance): void => this.#box.paint({ ...look, ...pickLook(this.#options) })

  identify(next: Identity): void {
    this.#identity = pickIdentity(next)
    if (this.#frame) this.#frame.send({ type: 'identify', identity: this.#identity })
    else this.#loadSoon()
  }

  /** After a logout, applies the identity of the boot options again. */
  comeBack(): void {
    if (!this.#identity && isKnown(this.#options)) this.identify(this.#options)
  }

  /** At once, because the page may be left at the same moment. */
  logout(): void {
    this.#identity = null
    const { token = null } = this.#store.read()
    this.#store.forget()
    this.#box.count(0, '')
    if (token && !this.#isMet) {
      this.#leaving = token
      this.#load()
    }
    this.#frame?.send({ type: 'logout' })
  }

  open(ticketId?: string, proactiveId?: string): void {
    this.#proactive.stop()
    const wasOpen = this.#isOpen
    if (!wasOpen) this.#before = document.activeElement as HTMLElement | null
    this.#isOpen = true
    this.#load()
    this.#box.show(true)
    this.#show(ticketId, proactiveId)
    this.#frame!.element.focus()
    if (!wasOpen) this.#tell('open')
  }

  close(): void {
    if (!this.#isOpen) return
    const wasInside = this.#box.hasFocus
    this.#isOpen = false
    this.#box.show(false)
    this.#show()
    if (wasInside) returnFocus(this.#before, this.#box.button)
    this.#tell('close')
  }

  toggle = (): void => (this.#isOpen ? this.close() : this.open())

  destroy(): void {
    this.#endLook()
    this.#life.abort()
    this.#proactive.stop()
    this.#unwatch()
    this.#frame?.remove()
    this.#box.remove()
  }

  /** Watches other tabs, and links to a conversation that are followed inside the page. */
  #watch(): () => void {
    const unwatch = this.#store.watch({
      token: token => this.#followToken(token),
      sent: client_id => this.#frame?.send({ type: 'sent', client_id }),
    })
    const lookForKey = () => {
      this.#key = readProjectKey()
      if (!this.#key) return
      this.#reload()
      this.open()
    }
    window.addEventListener('hashchange', lookForKey)
    return () => {
      unwatch()
      window.removeEventListener('hashchange', lookForKey)
    }
  }

  #followToken = (token: string | null): void =>
    this.#frame ? this.#frame.send({ type: 'token', token }) : token ? this.#loadSoon() : undefined

  #loadSoon = (): void => afterLoad(() => this.#load(), this.#life.signal)

  #load(): void {
    this.#endLook()
    this.#frame ??= putFrame(this.#host, this.#options.project, this.#words.title, this.#box.panel, {
      greet: () => this.#greet(),
      hear: message => this.#hear(message),
      fail: () => this.#box.fail(() => this.#reload()),
    })
  }

  #reload(): void {
    this.#frame?.remove()
    this.#frame = null
    this.#isMet = false
    this.#load()
  }

  #greet(): Boot {
    const now = { key: this.#key, leaving: this.#leaving, identity: this.#identity, is_open: this.#isOpen }
    this.#key = null
    this.#leaving = null
    this.#isMet = true
    return makeBoot(this.#options, this.#store, now)
  }

  #show(ticket_id: string | null = null, proactive_id?: string): void {
    const now = { is_open: this.#isOpen, page_url: location.href }
    this.#frame?.send({ type: 'shown', ...now, ticket_id, proactive_id })
  }

  #hear(message: ToPage): void {
    const { type } = message
    if (type === 'ready') this.#begin(message.look)
    else if (type === 'close') this.close()
    else if (type === 'proactive') this.#proactive.set(message.messages)
    else if (type === 'unread') {
      this.#box.count(message.count, message.label)
      this.#tell('unread', { count: message.count })
    } else if (type === 'message') this.#tell('message', message.message)
    else if (type === 'identified') this.#tell('identified', { is_verified: message.is_verified })
    else if (type === 'failed') this.#tell('error', { code: message.code })
    else this.#store.hear(message)
  }

  #begin(look: Appearance): void {
    this.#box.settle()
    this.#paint(look)
    this.#store.write({ look })
    this.#tell('ready')
  }
}
