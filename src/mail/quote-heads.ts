import { hasDate, type Knowledge, maxIntroduction } from './quote-known.ts'
import type { QuoteLine } from './quote-lines.ts'

/** Finds the headings of quoted text: separator lines, header blocks, and attribution lines with the author and date. */

const rule = /^[-_=*—─━–]{3}/
const ruleEnd = /[-_=*—─━–]{2}$/
const maxRule = 120

/** Whether a line is a separator, with or without words in it: `-----Original Message-----`. */
export function isRule(text: string): boolean {
  const line = text.trim()
  return line.length <= maxRule && rule.test(line) && ruleEnd.test(line)
}

interface HeaderLine {
  label: string
  value: string
}

const label = /^\p{L}[\p{L}\p{M}'’. -]{0,29}$/u

/** Parses a line such as `From: Ann`, in any language, bold or not; null if it has another form. */
export function readHeaderLine(text: string): HeaderLine | null {
  const line = text
    .replaceAll(/[\p{Cf}*]/gu, '')
    .replaceAll(/[\s|]+/g, ' ')
    .trim()
  const at = line.search(/[:：]/)
  if (at < 1) return null
  const name = line.slice(0, at).trim()
  return label.test(name) && name.split(' ').length <= 4
    ? { label: name, value: line.slice(at + 1).trim() }
    : null
}

const maxContinuation = 3
const maxHeaders = 40

/** The index after the header block that begins at `from`; `from` if none begins there. A long header may be wrapped. */
export function endOfHeaders(lines: Pick<QuoteLine, 'text' | 'depth'>[], from: number): number {
  let end = from
  let continued = 0
  for (let at = from; at < Math.min(lines.length, from + maxHeaders); at++) {
    const { text, depth } = lines[at]!
    if (text.trim() === '' || depth !== lines[from]!.depth) break
    if (readHeaderLine(text.slice(0, maxIntroduction))) {
      end = at + 1
      continued = 0
    } else if (end === from || ++continued > maxContinuation) break
  }
  return end
}

function isHeaderBlock(lines: string[], isAnnounced: boolean, knowledge: Knowledge): boolean {
  const values = lines.map(readHeaderLine).filter(header => header !== null)
  if (values.length < (isAnnounced ? 2 : 3)) return false
  const text = lines.join('\n')
  return knowledge.namesWriter(text) || (text.includes('@') && hasDate(text))
}

const firstWord = (text: string): string => text.trim().split(' ', 1)[0]!
const wrapped = 60

/** Whether a mail program may have wrapped a sentence between these lines. */
const isWrapped = (line: string, next: string): boolean =>
  line.trim().endsWith('<') || line.trim().length + firstWord(next).length >= wrapped

const maxWrapped = 5

/** The index of the first line of the attribution that ends at line `end`; null if there is none. */
function findIntroduction(texts: string[], end: number, knowledge: Knowledge): number | null {
  let found: number | null = null
  for (let at = end; at >= 0 && at > end - maxWrapped; at--) {
    if (texts[at]!.trim() === '' || texts[at]!.length > maxIntroduction) break
    if (at < end && !isWrapped(texts[at]!, texts[at + 1]!)) break
    const isPart = knowledge.namesWriter(texts[at]!) || hasDate(texts[at]!)
    if (found !== null && !isPart) break
    if (found !== null || knowledge.isIntroduction(texts.slice(at, end + 1).join(' '))) found = at
  }
  return found
}

export interface Heads {
  /** For each line: whether it is part of a heading. */
  isHead: boolean[]
  /** For each line: whether it is part of a header block that contains the name or address of an author in the ticket. */
  isStrong: boolean[]
}

function markHeaders(lines: QuoteLine[], heads: Heads, knowledge: Knowledge): void {
  const texts = lines.map(({ text }) => text)
  let isAnnounced = false
  for (let at = 0; at < lines.length; at++) {
    if (texts[at]!.trim() === '' || texts[at]!.length > maxIntroduction) continue
    const end = endOfHeaders(lines, at)
    if (end > at && isHeaderBlock(texts.slice(at, end), isAnnounced || lines[at]!.isMarked, knowledge)) {
      const isStrong = knowledge.namesWriter(texts.slice(at, end).join('\n'))
      heads.isHead.fill(true, at, end)
      heads.isStrong.fill(isStrong, at, end)
    }
    at = Math.max(at, end - 1)
    isAnnounced = isRule(texts[at]!)
  }
}

function markIntroductions(lines: QuoteLine[], heads: Heads, knowledge: Knowledge): void {
  const texts = lines.map(({ text }) => text)
  for (const [at, { text }] of lines.entries()) {
    if (heads.isHead[at] || text.trim() === '' || text.length > maxIntroduction) continue
    const from = findIntroduction(texts, at, knowledge)
    if (from === null) continue
    heads.isHead.fill(true, from, at + 1)
  }
}

/** Finds header blocks and attribution lines. A separator line only counts as the announcement of a header block below it. */
export function findHeads(lines: QuoteLine[], knowledge: Knowledge): Heads {
  const none = lines.map(() => false)
  const heads = { isHead: none, isStrong: [...none] }
  markHeaders(lines, heads, knowledge)
  markIntroductions(lines, heads, knowledge)
  return heads
}
