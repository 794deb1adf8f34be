import { hello, type ToFrame, type ToPage, welcome } from '../protocol.ts'
import { make } from './element.ts'

/** Our document inside the page, and the channel to it. */
export interface ChatFrame {
  element: HTMLIFrameElement
  send(message: ToFrame): void
  remove(): void
}

interface Ears {
  /** Returns the boot message once the frame has loaded. */
  greet(): ToFrame
  hear(message: ToPage): void
  fail(): void
}

/** Milliseconds after which a frame without a message counts as failed. */
const loadTimeoutMs = 20_000

/** Waits for the page to load first, because nobody has opened the chat yet. */
export function afterLoad(act: () => void, signal: AbortSignal): void {
  if (document.readyState === 'complete') act()
  else window.addEventListener('load', act, { signal })
}

export function putFrame(
  host: string,
  project: string,
  title: string,
  parent: Element,
  ears: Ears,
): ChatFrame {
  const element = make('iframe', {
    src: `${host}/widget/frame/${encodeURIComponent(project)}`,
    title,
    allow: 'clipboard-write',
    referrerpolicy: 'origin',
  })
  let port: MessagePort | null = null
  let early: ToFrame[] = []
  const timer = window.setTimeout(() => port ?? ears.fail(), loadTimeoutMs)
  const meet = (event: MessageEvent) => {
    if (event.source !== element.contentWindow || event.origin !== host || event.data !== hello) return
    window.clearTimeout(timer)
    const channel = new MessageChannel()
    port?.close()
    port = channel.port1
    port.onmessage = ({ data }: MessageEvent<ToPage>) => ears.hear(data)
    element.contentWindow!.postMessage(welcome, host, [channel.port2])
    for (const message of [ears.greet(), ...early]) port.postMessage(message)
    early = []
  }
  window.addEventListener('message', meet)
  parent.append(element)
  return {
    element,
    send: message => (port ? port.postMessage(message) : early.push(message)),
    remove() {
      window.clearTimeout(timer)
      window.removeEventListener('message', meet)
      port?.close()
      element.remove()
    },
  }
}
