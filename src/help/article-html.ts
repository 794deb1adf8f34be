import { textOf } from '../core/text/markdown.ts'

/** Prepares an article's HTML for its page. The HTML is already sanitised, so its tags are regular. */

export interface Heading {
  level: number
  id: string
  text: string
}

const headingTag = /<h([1-6])((?:\s[^>]*)?)>(.*?)<\/h\1>/gs

/** Removes a first heading that repeats the title, because many files begin with one. */
function dropTitle(html: string, title: string): string {
  const first = /^\s*<h1(?:\s[^>]*)?>(.*?)<\/h1>\s*/s.exec(html)
  return first && textOf(first[1]!).trim() === title.trim() ? html.slice(first[0].length) : html
}

/** The page's title is its h1. If the text contains an h1, all its headings are lowered by one level. */
const lower = (html: string): string =>
  /<h1[\s>]/.test(html)
    ? html.replaceAll(headingTag, (_all, level, attributes, text) => {
        const below = Math.min(Number(level) + 1, 6)
        return `<h${below}${attributes}>${text}</h${below}>`
      })
    : html

/** Makes tables and code scrollable, also by keyboard, and images load lazily. */
const widen = (html: string, tableLabel: string): string =>
  html
    .replaceAll(
      /<table[\s>]/g,
      all => `<div class="scroll" role="region" tabindex="0" aria-label="${tableLabel}">${all}`,
    )
    .replaceAll('</table>', '</table></div>')
    .replaceAll(/<pre(?=[\s>])/g, '<pre tabindex="0"')
    .replaceAll(/<img(?=\s)/g, '<img loading="lazy" decoding="async"')

/** `tableLabel` is put into an attribute without escaping. */
export const renderArticleHtml = (html: string, title: string, tableLabel: string): string =>
  widen(lower(dropTitle(html, title)), tableLabel)

const maxHeadings = 100

function readHeading([, level, attributes, inner]: RegExpExecArray): Heading[] {
  if (Number(level) > 3) return []
  const id = /\sid="([^"]*)"/.exec(attributes!)?.[1]
  const text = textOf(inner!).trim()
  return id && text ? [{ level: Number(level), id, text }] : []
}

/** The headings that a table of contents lists. */
export const listHeadings = (prose: string): Heading[] =>
  prose.matchAll(headingTag).flatMap(readHeading).take(maxHeadings).toArray()
