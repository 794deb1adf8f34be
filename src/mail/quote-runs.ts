import { findHeads, isRule } from './quote-heads.ts'
import type { Knowledge } from './quote-known.ts'
import type { QuoteLine } from './quote-lines.ts'

/** Finds the run of lines in a mail that is a quote, if there is exactly one that can be folded. */

type Kind = 'blank' | 'picture' | 'head' | 'known' | 'quoted' | 'own'

interface Judged {
  lines: QuoteLine[]
  kinds: Kind[]
  isStrong: boolean[]
  knowledge: Knowledge
}

/** Lines from `from` up to, but without `end`. */
export interface Run {
  from: number
  end: number
}

/** Lines below these are not compared with earlier messages. */
const maxJudged = 5000
/** Lines above the quoted text that a gateway may have added, such as a warning about mails from outside. */
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

const opens = ({ lines, kinds }: Judged, at: number): boolean =>
  kinds[at] === 'head' ||
  (lines[at]!.depth > 0 && !lines[at]!.isLoose && kinds[at] !== 'blank') ||
  (lines[at]!.isLoose && kinds[at] === 'known')

/** The end of the run that begins at a line: after the last line that is a head, known or quoted, before the first own one. */
function endOfRun(judged: Judged, from: number): number {
  let end = from
  let inserted = 0
  let hasText = false
  for (let at = from; at < judged.lines.length; at++) {
    const kind = judged.kinds[at]!
    if (kind === 'own') {
      inserted++
      const mayBeInserted = !hasText && (judged.isStrong[end - 1] || judged.lines[at]!.isMarked)
      if (!mayBeInserted || inserted > maxInserted) break
    } else if (kind === 'head' && inserted > 0) break
    else if (kind !== 'blank' && kind !== 'picture') {
      end = at + 1
      hasText ||= kind !== 'head'
    }
  }
  return hasText ? end : endOfUnknown(judged, from, end)
}

/** Where nothing under a block of headers is known, everything under it belongs to it. */
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
  // What is quoted within the quote may be older than the ticket.
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

/** With the blank lines and lines of dashes above it. */
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
    if (!opens(judged, at)) continue
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

/** The first line of a footer below a quote, such as a signature or a disclaimer: it begins with dashes. */
function isFooter({ lines, kinds }: Judged, end: number): boolean {
  const first = kinds.findIndex((kind, at) => at >= end && kind !== 'blank')
  return first === -1 || isRule(lines[first]!.text) || lines[first]!.text.trim() === '--'
}

/**
 * The lines of a mail that repeat earlier messages, with what introduces them; null if the mail is to be shown whole. That is so
 * if an answer stands between quotes, if there is text above and below the quote, and if nothing else is left.
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
