import { hasDate, type Knowledge, maxIntroduction } from './quote-known.ts'
import type { QuoteLine } from './quote-lines.ts'

/** What stands above a quote: a line of dashes, a block of headers, a sentence that says who wrote when. */

const rule = /^[-_=*—─━–]{3}/
const ruleEnd = /[-_=*—─━–]{2}$/
const maxRule = 120

/** A line of dashes, with or without words in it: `-----Original Message-----`. */
export function isRule(text: string): boolean {
  const line = text.trim()
  return line.length <= maxRule && rule.test(line) && ruleEnd.test(line)
}

interface HeaderLine {
  label: string
  value: string
}

const label = /^\p{L}[\p{L}\p{M}'’. -]{0,29}$/u

/** `From: Ann` in whatever language, bold or not; null if the line is not of that form. */
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

/** The index after the block of headers that begins at a line; `from` if none begins there. A long header may be wrapped. */
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

/** Whether a program may have broken a sentence between these lines. */
const isWrapped = (line: string, next: string): boolean =>
  line.trim().endsWith('<') || line.trim().length + firstWord(next).length >= wrapped

const maxWrapped = 5

/** The index of the first line of the sentence that introduces a quote and ends at a line; null if it is none. */
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
  /** Whether each line is part of what stands above a quote. */
  isHead: boolean[]
  /** Whether it is a block of headers that names a writer of the ticket, or is marked so by a program. */
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

/** Finds what stands above quotes. Lines of dashes count only directly above something else that does. */
export function findHeads(lines: QuoteLine[], knowledge: Knowledge): Heads {
  const none = lines.map(() => false)
  const heads = { isHead: none, isStrong: [...none] }
  markHeaders(lines, heads, knowledge)
  markIntroductions(lines, heads, knowledge)
  return heads
}
