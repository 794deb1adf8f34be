import type { Shown } from '../protocol.ts'
import { make } from './element.ts'
import type { Options } from './options.ts'

/** A loaded frame that has sent no message after this many milliseconds will not send one. */
const messageTimeoutMs = 5_000

/**
 * Loads the look of the launcher through a frame, because a site that shows the chat allows our frames and
 * perhaps nothing else. The chat itself is not loaded. The returned function cancels it.
 */
export function fetchAppearance(
  host: string,
  { project, locale = navigator.language }: Pick<Options, 'project' | 'locale'>,
  parent: Node,
  hear: (look: Shown['look']) => void,
): () => void {
  const address = `${host}/widget/look/${encodeURIComponent(project)}?locale=${encodeURIComponent(locale)}`
  const element = make('iframe', { src: address, hidden: '', tabindex: '-1' })
  const { origin } = new URL(host)
  let timer = 0
  const listen = ({ source, origin: from, data }: MessageEvent<Shown>) => {
    if (source !== element.contentWindow || from !== origin || data?.type !== 'deskbell:look') return
    hear(data.look)
    end()
  }
  const end = () => {
    window.clearTimeout(timer)
    window.removeEventListener('message', listen)
    element.remove()
  }
  window.addEventListener('message', listen)
  // The frame is in another process of the browser, so its message may arrive after its load event.
  element.onload = () => {
    timer = window.setTimeout(end, messageTimeoutMs)
  }
  parent.appendChild(element)
  return end
}
