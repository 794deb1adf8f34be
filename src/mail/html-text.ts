import { lazyRequire } from '../core/lazy-require.ts'
import { escapeHtml } from '../core/markdown.ts'
import { isVisible } from '../core/visible-text.ts'

type Convert = (html: string) => string
interface Package {
  compile(options: object): Convert
}

const load = lazyRequire<Package>('html-to-text')
let convert: Convert | undefined

const options = {
  wordwrap: false,
  limits: { maxDepth: 300, maxInputLength: 16 * 1024 * 1024 },
  selectors: [
    { selector: 'img', format: 'skip' },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map(selector => ({ selector, options: { uppercase: false } })),
    { selector: 'table', options: { uppercaseHeaderCells: false } },
  ],
}

/** Sanitised HTML as plain text: quotes with `> `, links with their addresses, pictures left out. */
export function textOfHtml(html: string): string {
  convert ??= load().compile(options)
  return convert(html)
    .replaceAll('\u00a0', ' ')
    .split('\n')
    .map(line => line.trimEnd())
    .join('\n')
    .trim()
}

/** The text of any HTML in linear time, for a mail that the better way could not read: without tags, and with a line for each. */
export function roughTextOfHtml(html: string): string {
  const pieces: string[] = []
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf('<', at)
    pieces.push(html.slice(at, open < 0 ? undefined : open))
    const close = open < 0 ? -1 : html.indexOf('>', open)
    at = close < 0 ? html.length : close + 1
  }
  const entities: Record<string, string> = { nbsp: ' ', lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  return pieces
    .map(piece => piece.replaceAll(/&(nbsp|lt|gt|quot|#39|amp);/g, (_, name) => entities[name]!).trim())
    .filter(piece => piece !== '')
    .join('\n')
}

/** Plain text as HTML, for a mail that has both, one after the other. */
export const htmlOfText = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map(paragraph => `<p>${escapeHtml(paragraph).replaceAll('\n', '<br>')}</p>`)
    .join('')

/** Scripts without spaces between words are compared by characters. */
const words =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{N}]+/gu
const maxCompared = 20_000

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [found] of text.slice(0, maxCompared).toLowerCase().matchAll(words))
    counts.set(found, (counts.get(found) ?? 0) + 1)
  return counts
}

/** Whether the plain text has nine of ten words of the other, and is no beginning of it. */
export function saysAsMuch(plain: string, other: string): boolean {
  if (!isVisible(plain)) return !isVisible(other)
  const has = countWords(plain)
  let all = 0
  let found = 0
  for (const [one, count] of countWords(other)) {
    all += count
    found += Math.min(count, has.get(one) ?? 0)
  }
  return found >= all * 0.9 && plain.length >= Math.min(other.length, maxCompared) * 0.5
}
