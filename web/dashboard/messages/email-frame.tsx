import { useComputedColorScheme } from '@mantine/core'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { nonce } from '../core/nonce.ts'
import classes from './email.module.css'
import css from './email-frame.css?inline'

/** The page's colours and font, for the frame. */
const variables = {
  text: '--mantine-color-text',
  dimmed: '--mantine-color-dimmed',
  link: '--mantine-color-anchor',
  border: '--mantine-color-default-border',
  font: '--mantine-font-family',
}

function printVariables(scheme: string): string {
  const style = getComputedStyle(document.documentElement)
  const lines = Object.entries(variables).map(([name, from]) => `--${name}: ${style.getPropertyValue(from)};`)
  return `:root { color-scheme: ${scheme}; ${lines.join(' ')} }`
}

/** Loads only images of this server: inline ones, and remote ones through the server. */
const policy = `default-src 'none'; img-src ${location.origin}; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`

const print = (html: string, scheme: string): string =>
  `<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="content-security-policy" content="${policy}">` +
  `<meta name="referrer" content="no-referrer"><base target="_blank">` +
  `<style nonce="${nonce}">${printVariables(scheme)}${css}</style></head><body dir="auto">${html}</body></html>`

/** The space for a horizontal scrollbar, which emails with wide tables need. */
const scrollbarPx = 16

/** The height of the frame's content, which changes when images load and when the window is resized. */
function useHeight(frame: RefObject<HTMLIFrameElement | null>, loaded: number): number {
  const [height, setHeight] = useState(24)
  useEffect(() => {
    const body = frame.current?.contentDocument?.body
    if (!body || loaded === 0) return
    const measure = () => {
      const { scrollWidth, clientWidth } = body.ownerDocument.documentElement
      const scrollbar = scrollWidth > clientWidth ? scrollbarPx : 0
      setHeight(Math.ceil(body.getBoundingClientRect().height) + scrollbar)
    }
    const watch = new ResizeObserver(measure)
    watch.observe(body)
    measure()
    return () => watch.disconnect()
  }, [frame, loaded])
  return height
}

/**
 * The HTML of an email, which the server has sanitised. It is in a frame of its own, which can run no scripts and whose policy allows
 * no other servers.
 */
export function EmailFrame({ html, title }: { html: string; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [loaded, setLoaded] = useState(0)
  const scheme = useComputedColorScheme('light')
  const content = useMemo(() => print(html, scheme), [html, scheme])
  const height = useHeight(frame, loaded)
  return (
    <iframe
      ref={frame}
      className={classes.frame}
      title={title}
      srcDoc={content}
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      style={{ height }}
      onLoad={() => setLoaded(count => count + 1)}
    />
  )
}
