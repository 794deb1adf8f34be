import { memo } from 'react'
import classes from './html.module.css'
import { markWords } from './mark-words.ts'

interface Props {
  html: string
  /** Words that stand out, one a line: who was mentioned. */
  marked?: string
}

/** What the server has made safe: no script, no style; links open elsewhere and tell nothing. */
export const Html = memo(function Html({ html, marked = '' }: Props) {
  const __html = harden(html, marked)
  return <div className={classes.html} dir="auto" dangerouslySetInnerHTML={{ __html }} />
})

/** Parsed where nothing loads or runs. */
function harden(html: string, marked: string): string {
  if (!marked && !/<(a|img)\b/i.test(html)) return html
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
  if (marked) markWords(body, marked.split('\n'))
  return body.innerHTML
}
