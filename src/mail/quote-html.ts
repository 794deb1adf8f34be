import { textOf } from '../core/text/markdown.ts'
import type { QuoteLine } from './quote-lines.ts'
import { findQuoteMark, type QuoteMark } from './quote-marks.ts'

/** Splits sanitised HTML into lines and renders a selection of them. In sanitised HTML, every < begins a tag and every > ends one. */

interface Token {
  kind: 'open' | 'close' | 'leaf'
  raw: string
  /** The line index of a leaf; -1 for others. */
  line: number
}

export interface HtmlLines {
  lines: QuoteLine[]
  tokens: Token[]
}

const piece = /<[^<>]*>|[^<]+/g
const tagName = /^<\/?([a-z][a-z0-9]*)/i
const empty = new Set(['area', 'br', 'col', 'hr', 'img', 'input', 'wbr'])
const blocks = new Set(
  `address article aside blockquote body caption center dd details div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6
  header hr html li main nav ol p pre section summary table tbody tfoot thead tr ul`.split(/\s+/),
)

const isElementWithoutContent = (tag: string, next: string | undefined): boolean =>
  /^<[^/]/.test(tag) &&
  next !== undefined &&
  next.toLowerCase() === `</${tagName.exec(tag)?.[1]?.toLowerCase()}>`

type Place = Pick<QuoteLine, 'depth' | 'isMarked' | 'isLoose'>

/** An open element and the properties of the lines inside it. */
interface Open extends Place {
  name: string
}

const blankLine = (): QuoteLine => ({
  text: '',
  depth: 0,
  isMarked: false,
  isLoose: false,
  hasPicture: false,
})

const body: Open = { name: '', depth: 0, isMarked: false, isLoose: false }

function openElement(name: string, mark: QuoteMark | null, outer: Open): Open {
  const isMarked = outer.isMarked || mark !== null
  if (name === 'blockquote') return { name, depth: outer.depth + 1, isMarked, isLoose: false }
  return { name, depth: outer.depth, isMarked, isLoose: outer.isLoose || mark === 'container' }
}

/** Reads HTML token by token. A new line begins where a block begins or ends, and at a line break. */
class LineReader {
  lines: QuoteLine[] = [blankLine()]
  tokens: Token[] = []
  #open: Open[] = []
  #isFresh = true

  #breakLine(): void {
    if (this.#isFresh) return
    this.lines.push(blankLine())
    this.#isFresh = true
  }

  #addLeaf(raw: string, text: string, hasPicture: boolean): void {
    const line = this.lines.at(-1)!
    if (this.#isFresh || (line.text.trim() === '' && !line.hasPicture)) {
      const { depth, isMarked, isLoose } = this.#open.at(-1) ?? body
      Object.assign(line, { depth, isMarked, isLoose })
    }
    line.text += text
    line.hasPicture ||= hasPicture
    if (text.trim() !== '' || hasPicture) this.#isFresh = false
    this.tokens.push({ kind: 'leaf', raw, line: this.lines.length - 1 })
  }

  #readEmpty(raw: string, name: string): void {
    if (blocks.has(name)) this.#breakLine()
    this.#addLeaf(raw, name === 'hr' ? '________' : '', name === 'img')
    if (name !== 'br' && name !== 'hr') return
    this.#isFresh = false
    this.#breakLine()
  }

  #readTag(raw: string, name: string): void {
    if (blocks.has(name)) this.#breakLine()
    if (name === 'td' || name === 'th') this.lines.at(-1)!.text += ' '
    const isEnd = raw.startsWith('</')
    if (!isEnd) this.#open.push(openElement(name, findQuoteMark(raw), this.#open.at(-1) ?? body))
    else if (this.#open.at(-1)?.name === name) this.#open.pop()
    this.tokens.push({ kind: isEnd ? 'close' : 'open', raw, line: -1 })
  }

  read(raw: string): void {
    const name = tagName.exec(raw)?.[1]?.toLowerCase()
    if (!name) this.#addLeaf(raw, textOf(raw).replaceAll('&nbsp;', ' ').replaceAll(/\s/g, ' '), false)
    else if (empty.has(name) || raw.indexOf('<', 1) > 0) this.#readEmpty(raw, name)
    else this.#readTag(raw, name)
  }
}

/** Splits sanitised HTML into lines and tokens. Each leaf token belongs to a line. */
export function readHtmlLines(html: string): HtmlLines {
  const reader = new LineReader()
  const pieces = html.match(piece) ?? []
  for (let at = 0; at < pieces.length; at++) {
    const isEmpty = isElementWithoutContent(pieces[at]!, pieces[at + 1])
    reader.read(isEmpty ? pieces[at]! + pieces[++at]! : pieces[at]!)
  }
  return { lines: reader.lines, tokens: reader.tokens }
}

/** Renders the selected lines with the elements that surround them. */
export function renderLines(tokens: Token[], isSelected: (line: number) => boolean): string {
  const written: string[] = []
  const open: { raw: string; isWritten: boolean }[] = []
  let firstUnwritten = 0
  for (const { kind, raw, line } of tokens) {
    if (kind === 'open') open.push({ raw, isWritten: false })
    else if (kind === 'close') {
      if (open.pop()?.isWritten) written.push(raw)
      firstUnwritten = Math.min(firstUnwritten, open.length)
    } else if (isSelected(line)) {
      for (; firstUnwritten < open.length; firstUnwritten++) {
        open[firstUnwritten]!.isWritten = true
        written.push(open[firstUnwritten]!.raw)
      }
      written.push(raw)
    }
  }
  return written.join('')
}
