import { lazyRequire } from '../core/async/lazy-require.ts'
import { escapeHtml } from '../core/text/markdown.ts'
import { isVisible } from '../core/text/visible-text.ts'

type Convert = (html: string) => string
interface Element {
  children: unknown[]
  attribs?: Record<string, string>
}
interface Builder {
  addInline(text: string, options?: { noWordTransform: boolean }): void
  pushWordTransform(transform: (word: string) => string): void
  popWordTransform(): void
}
type Walk = (children: unknown[], builder: Builder) => void
interface Package {
  compile(options: object): Convert
}

const load = lazyRequire<Package>('html-to-text')
let convert: Convert | undefined

/** Separates the cells of a row. Without it, their words would become one. */
function formatCell(cell: Element, walk: Walk, builder: Builder) {
  walk(cell.children, builder)
  builder.addInline(' ')
}

const bareAddress = (address: string): string => address.replace(/^https?:\/\//i, '').replace(/\/$/, '')

/** Writes the address after the words, unless the words are the address. */
function formatLink({ children, attribs }: Element, walk: Walk, builder: Builder) {
  const address = attribs?.href ?? ''
  let words = ''
  builder.pushWordTransform(word => {
    words += word
    return word
  })
  walk(children, builder)
  builder.popWordTransform()
  const shown = address.replace(/^mailto:/, '')
  if (shown === '' || shown.startsWith('#') || bareAddress(shown) === bareAddress(words)) return
  builder.addInline(words ? ` [${shown}]` : shown, { noWordTransform: true })
}

const options = {
  formatters: { cell: formatCell, link: formatLink },
  wordwrap: false,
  limits: { maxDepth: 300, maxInputLength: 16 * 1024 * 1024 },
  selectors: [
    { selector: 'img', format: 'skip' },
    { selector: 'a', format: 'link' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map(selector => ({ selector, options: { uppercase: false } })),
    { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    ...['td', 'th'].map(selector => ({ selector, format: 'cell' })),
  ],
}

/** Converts sanitised HTML to plain text. Quotes get `> `, links keep their URLs, images are left out. */
export function textOfHtml(html: string): string {
  convert ??= load().compile(options)
  return convert(html)
    .replaceAll('\u00a0', ' ')
    .split('\n')
    .map(line => line.trimEnd())
    .join('\n')
    .trim()
}

/** Extracts text from any HTML in linear time by putting a line break in place of each tag, for an email that could not be parsed otherwise. */
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

/** Converts plain text to HTML, for an email that has text parts of both kinds. */
export const htmlOfText = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map(paragraph => `<p>${escapeHtml(paragraph).replaceAll('\n', '<br>')}</p>`)
    .join('')

/** Words; in scripts without spaces between words, characters. */
const words =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{N}]+/gu
const maxCompared = 20_000

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [found] of text.slice(0, maxCompared).toLowerCase().matchAll(words))
    counts.set(found, (counts.get(found) ?? 0) + 1)
  return counts
}

/** Whether the plain text contains nine of ten words of the other text and is at least half as long. */
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
