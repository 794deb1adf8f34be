import { findHeads, isRule } from './quote-heads.ts'
import type { Knowledge } from './quote-known.ts'
import type { QuoteLine } from './quote-lines.ts'

/** Finds the lines of quoted text in an email, if there is exactly one quote that can be folded. */

type Kind = 'blank' | 'picture' | 'head' | 'known' | 'quoted' | 'own'

interface Judged {
  lines: QuoteLine[]
  kinds: Kind[]
  isStrong: boolean[]
  knowledge: Knowledge
}

/** The lines from `from` up to but not including `end`. */
export interface Run {
  from: number
  end: number
}

/** Lines after this many are not compared with earlier messages. */
const maxJudged = 5000
/** Lines above the quoted text that a gateway may have added, such as an external sender warning. */
const maxInserted = 3

const kindOf = (line: QuoteLine, isHead: boolean, isKnown: boolean): Kind => {
  if (line.text.trim() === '') return line.hasPicture ? 'picture' : 'blank'
  if (isHead) return 'head'
  if (isKnown) return 'known'
  return line.depth > 0 && !line.isLoose ? 'quoted' : 'own'
}

function judgeLines(lines: QuoteLine[], knowledge: Knowledge): Judged {
  const head = lines.slice(0, maxJudged)
  const { isHead, isStrong } = findHeads(head, knowledge)
  let before = ''
  const kinds = lines.map((line, at) => {
    const isKnown = at < maxJudged && knowledge.isKnown(line.text, before)
    if (line.text.trim() !== '') before = isKnown ? line.text : ''
    return kindOf(line, isHead[at] ?? false, isKnown)
  })
  return { lines, kinds, isStrong, knowledge }
}

const beginsRun = ({ lines, kinds }: Judged, at: number): boolean =>
  kinds[at] === 'head' ||
  (lines[at]!.depth > 0 && !lines[at]!.isLoose && kinds[at] !== 'blank') ||
  (lines[at]!.isLoose && kinds[at] === 'known')

const isSignatureMark = ({ text }: QuoteLine): boolean => text.trim() === '--'

/** The end of the run that begins at `from`: after the last heading, known or quoted line before new text. */
function endOfRun(judged: Judged, from: number): number {
  let end = from
  let inserted = 0
  let hasText = false
  for (let at = from; at < judged.lines.length; at++) {
    const kind = judged.kinds[at]!
    if (isSignatureMark(judged.lines[at]!)) continue
    if (kind === 'own') {
      inserted++
      const mayBeInserted = !hasText && (judged.isStrong[end - 1] || judged.lines[at]!.isMarked)
      if (!mayBeInserted || inserted > maxInserted) break
    } else if (kind === 'head' && inserted > 0 && !hasText) break
    else if (kind !== 'blank' && kind !== 'picture') {
      end = at + 1
      hasText ||= kind !== 'head'
    }
  }
  return hasText ? end : endOfUnknown(judged, from, end)
}

/** If no line below a header block is known or quoted, the run extends to the end of the email. */
function endOfUnknown({ lines, kinds, isStrong }: Judged, from: number, end: number): number {
  const isBlock = isStrong.slice(from, end).includes(true) || lines[from]!.isMarked
  if (!isBlock || kinds.slice(end).some(kind => kind === 'head' || kind === 'known' || kind === 'quoted'))
    return end
  return lines.length
}

const range = (from: number, end: number): number[] =>
  Array.from({ length: Math.max(end - from, 0) }, (_, at) => from + at)

function countKnown({ lines, kinds }: Judged, { from, end }: Run): { known: number; all: number } {
  const isText = (at: number): boolean => ['known', 'quoted', 'own'].includes(kinds[at]!)
  const texts = range(from, end).filter(isText)
  // Nested quotes may be older than the ticket.
  const depth = texts.reduce((least, at) => Math.min(least, lines[at]!.depth), Number.POSITIVE_INFINITY)
  const outer = texts.filter(at => lines[at]!.depth === depth)
  return { known: outer.filter(at => kinds[at] === 'known').length, all: outer.length }
}

const leastKnown = 0.6

function isQuote(judged: Judged, run: Run): boolean {
  const { known, all } = countKnown(judged, run)
  if (all === 0) return false
  if (known / all >= leastKnown) return true
  const { lines, kinds, isStrong, knowledge } = judged
  const isMarked = lines.slice(run.from, run.end).some(line => line.isMarked)
  const heads = lines.slice(run.from, run.end).filter((_, at) => kinds[run.from + at] === 'head')
  const namesWriter = heads.some(({ text }) => knowledge.namesWriter(text))
  if (isMarked) return known > 0 || namesWriter
  return (
    known === 0 &&
    (isStrong.slice(run.from, run.end).includes(true) || (namesWriter && lines[run.end - 1]!.depth > 0))
  )
}

/** The start of the run, including the blank lines and separators above it. */
function extendUp({ lines, kinds }: Judged, from: number): number {
  let start = from
  for (let at = from - 1; at >= 0; at--) {
    if (kinds[at] !== 'blank' && !isRule(lines[at]!.text)) break
    start = at
  }
  return start
}

function listRuns(judged: Judged): Run[] {
  const runs: Run[] = []
  for (let at = 0; at < judged.lines.length; at++) {
    if (!beginsRun(judged, at)) continue
    const run = { from: at, end: endOfRun(judged, at) }
    if (isQuote(judged, run)) runs.push({ ...run, from: extendUp(judged, at) })
    at = Math.max(at, run.end - 1)
  }
  return runs
}

const isOwn = ({ lines, kinds }: Judged, at: number): boolean =>
  kinds[at] !== 'blank' &&
  !isRule(lines[at]!.text) &&
  (kinds[at] === 'picture' || /[\p{L}\p{N}\p{S}]/u.test(lines[at]!.text))

/** Whether the text below a quote is empty or a footer, such as a signature or disclaimer, which begins with a separator. */
function isFooter({ lines, kinds }: Judged, end: number): boolean {
  const first = kinds.findIndex((kind, at) => at >= end && kind !== 'blank')
  return first === -1 || isRule(lines[first]!.text) || isSignatureMark(lines[first]!)
}

/**
 * The lines that repeat earlier messages, with their heading; null if the email is to be shown whole: if it has no quote, a reply
 * between several quotes, text above and below the quote, or only a quote.
 */
export function findQuote(lines: QuoteLine[], knowledge: Knowledge): Run | null {
  const judged = judgeLines(lines, knowledge)
  const runs = listRuns(judged)
  const [run, second] = runs
  if (!run || second) return null
  const above = range(0, run.from).filter(at => isOwn(judged, at))
  const below = range(run.end, lines.length).filter(at => isOwn(judged, at))
  if (above.length + below.length === 0) return null
  if (above.length > 0 && !isFooter(judged, run.end)) return null
  return below.some(at => judged.kinds[at] === 'known') ? null : run
}
