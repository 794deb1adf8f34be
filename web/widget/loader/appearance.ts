import type { Appearance, Shown } from '../protocol.ts'
import { make } from './element.ts'
import type { Options } from './options.ts'

/**
 * Loads the look of the launcher through a frame, because a site that shows the chat allows our frames and
 * perhaps nothing else. The chat itself is not loaded. The returned function cancels it.
 */
export function fetchAppearance(
  host: string,
  { project, locale = navigator.language }: Pick<Options, 'project' | 'locale'>,
  parent: Node,
  hear: (look: Appearance) => void,
): () => void {
  const address = `${host}/widget/look/${encodeURIComponent(project)}?locale=${encodeURIComponent(locale)}`
  const element = make('iframe', { src: address, hidden: '', tabindex: '-1' })
  const { origin } = new URL(host)
  const listen = ({ source, origin: from, data }: MessageEvent<Shown>) => {
    if (source === element.contentWindow && from === origin && data?.type === 'deskbell:look') hear(data.look)
  }
  const end = () => {
    window.removeEventListener('message', listen)
    element.remove()
  }
  window.addEventListener('message', listen)
  element.onload = end
  parent.appendChild(element)
  return end
}
