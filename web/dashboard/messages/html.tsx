import { memo } from 'react'
import classes from './html.module.css'
import { markMentions } from './mark-mentions.ts'

interface Props {
  html: string
  /** Names that stand out where they are mentioned, one a line, the longest first. */
  names?: string
}

/** What the server has made safe: no script, no style; links open elsewhere and tell nothing. */
export const Html = memo(function Html({ html, names = '' }: Props) {
  const __html = harden(html, names)
  return <div className={classes.html} dir="auto" dangerouslySetInnerHTML={{ __html }} />
})

/** Parsed where nothing loads or runs. */
function harden(html: string, names: string): string {
  if (!names && !/<(a|img)\b/i.test(html)) return html
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const link of body.querySelectorAll('a[href]')) {
    link.setAttribute('target', '_blank')
    link.setAttribute('rel', 'noopener noreferrer nofollow')
  }
  for (const image of body.querySelectorAll('img')) {
    image.setAttribute('loading', 'lazy')
    image.setAttribute('referrerpolicy', 'no-referrer')
    if (!image.hasAttribute('alt')) image.setAttribute('alt', '')
  }
  if (names) markMentions(body, names.split('\n'))
  return body.innerHTML
}
