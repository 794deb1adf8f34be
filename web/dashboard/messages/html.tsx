import { memo } from 'react'
import classes from './html.module.css'
import { markMentions } from './mark-mentions.ts'

interface Props {
  html: string
  /** Names to highlight where they are mentioned, one per line, the longest first. */
  names?: string
}

/** HTML that the server has sanitised: no scripts or styles. Links open in a new tab and send no referrer. */
export const Html = memo(function Html({ html, names = '' }: Props) {
  const __html = harden(html, names)
  return <div className={classes.html} dir="auto" dangerouslySetInnerHTML={{ __html }} />
})

/** Parsed in a document that loads and runs nothing. */
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
