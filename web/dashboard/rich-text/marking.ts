import type { Mark } from './marks.ts'

/** Applies Markdown marks to a text with a selection. */

export interface Selected {
  value: string
  from: number
  to: number
}

/** The replacement of a part of the text, and the selection afterwards. */
export interface MarkedText {
  at: [from: number, to: number]
  words: string
  select: [from: number, to: number]
}

const around: Partial<Record<Mark, string>> = { bold: '**', italic: '*', strike: '~~', code: '`' }
const atStart: Partial<Record<Mark, string>> = {
  ...{ list: '- ', numbers: '1. ', quote: '> ' },
  ...{ heading: '## ', subheading: '### ' },
}
const table = '| | |\n| --- | --- |\n| | |'

export function mark(selected: Selected, kind: Mark): MarkedText {
  const [sign, start] = [around[kind], atStart[kind]]
  if (sign) return selected.from === selected.to ? markHere(selected, sign) : markAround(selected, sign)
  if (start) return markLines(selected, start)
  if (kind === 'link') return link(selected)
  const words = selected.value.slice(selected.from, selected.to)
  return kind === 'codeBlock'
    ? putBlock(selected, `\`\`\`\n${words}\n\`\`\``, 4)
    : kind === 'table'
      ? putBlock(selected, table, 2)
      : { at: [selected.to, selected.to], words: '', select: [selected.from, selected.to] }
}

/** Puts a block on separate lines, with the cursor at this place in it. */
function putBlock({ value, from, to }: Selected, words: string, cursor: number): MarkedText {
  const before = from === 0 || value.slice(0, from).endsWith('\n\n') ? '' : '\n\n'
  const at = from + before.length + cursor
  return { at: [from, to], words: before + words + (to < value.length ? '\n\n' : ''), select: [at, at] }
}

/** The number of consecutive sign characters before or after a position. */
function countRow(value: string, at: number, sign: string, step: 1 | -1): number {
  let count = 0
  for (let place = step === 1 ? at : at - 1; value[place] === sign[0]; place += step) count += 1
  return count
}

/** Whether this many consecutive characters include the sign: `**` is bold but not italic, `***` is both. */
const holds = (count: number, sign: string): boolean =>
  sign.length === 2 ? count >= 2 : sign === '*' ? count % 2 === 1 : count > 0

/** Whether the sign was opened on this line and not closed before this position. */
function isInside(value: string, at: number, sign: string): boolean {
  const line = value.slice(value.lastIndexOf('\n', at - 1) + 1, at)
  const rows = line.match(sign === '`' ? /`+/g : sign === '~~' ? /~+/g : /\*+/g) ?? []
  return rows.filter(row => holds(row.length, sign)).length % 2 === 1
}

/** Without a selection: starts a mark, ends it the second time, or removes an empty one. */
function markHere({ value, from }: Selected, sign: string): MarkedText {
  const { length } = sign
  const isEnd = holds(countRow(value, from, sign, 1), sign)
  if (!isEnd || !isInside(value, from, sign))
    return { at: [from, from], words: sign + sign, select: [from + length, from + length] }
  if (holds(countRow(value, from, sign, -1), sign))
    return { at: [from - length, from + length], words: '', select: [from - length, from - length] }
  return { at: [from, from], words: '', select: [from + length, from + length] }
}

/**
 * Puts the sign around a line, inside its leading and trailing spaces, next to which Markdown would not
 * recognise it.
 */
function enclose(line: string, sign: string): string {
  const core = line.trim()
  if (!core) return line
  const begin = line.indexOf(core)
  return line.slice(0, begin) + sign + core + sign + line.slice(begin + core.length)
}

/** Marks each line separately, because no mark spans lines. The second time removes the marks. */
function markAround({ value, from, to }: Selected, sign: string): MarkedText {
  const { length } = sign
  const words = value.slice(from, to)
  const isMarked = holds(countRow(value, from, sign, -1), sign) && holds(countRow(value, to, sign, 1), sign)
  if (isMarked) return { at: [from - length, to + length], words, select: [from - length, to - length] }
  const marked = words
    .split('\n')
    .map(line => enclose(line, sign))
    .join('\n')
  const begin = from + marked.indexOf(marked.trimStart())
  const isOne = !words.trim().includes('\n')
  const edge = isOne && words.trim() ? length : 0
  return {
    at: [from, to],
    words: marked,
    select: [begin + edge, begin + marked.trim().length - edge],
  }
}

/** Selects the URL, which is typed next. */
function link({ value, from, to }: Selected): MarkedText {
  const words = value.slice(from, to)
  const at = from + words.length + 3
  return { at: [from, to], words: `[${words}](url)`, select: words ? [at, at + 3] : [from + 1, from + 1] }
}

/** Prefixes each selected line, or removes the prefix if all have it. */
function markLines({ value, from, to }: Selected, start: string): MarkedText {
  const first = value.lastIndexOf('\n', from - 1) + 1
  const end = value.indexOf('\n', to)
  const last = end < 0 ? value.length : end
  const lines = value.slice(first, last).split('\n')
  const isMarked = lines.every(line => line.startsWith(start))
  const words = lines.map(line => (isMarked ? line.slice(start.length) : start + line)).join('\n')
  const step = isMarked ? -start.length : start.length
  return {
    at: [first, last],
    words,
    select: [Math.max(first, from + step), to + step * lines.length],
  }
}
