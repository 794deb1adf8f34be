import bidiFactory from 'bidi-js'
import type PDFDocument from 'pdfkit'
import type { Fonts } from './receipt-fonts.ts'

/** Lines of text in any language: in several fonts, in the order in which people read them. */

export type ReceiptPage = typeof PDFDocument.prototype

const bidi = bidiFactory()

/** The characters of a text, and those that take their place in lines that run to the left: `)` for `(`. */
export const withMirroredCharacters = (text: string): string =>
  text + [...text].map(char => bidi.getMirroredCharacter(char) ?? '').join('')

interface Run {
  text: string
  font: Buffer
  /** Where its first character stands, from the left. */
  at: number
}

const rtlLetter = /[\p{Script=Arabic}\p{Script=Hebrew}]/u

/** As it is drawn: fonts turn letters that run to the left around, and signs between them are ours to turn. */
const turn = (chars: string[], isRtl: boolean): string =>
  isRtl && !chars.some(char => rtlLetter.test(char)) ? chars.reverse().join('') : chars.join('')

/** Parts of a line that have one font and one direction, from left to right. */
export function splitRuns(line: string, fonts: Fonts): Run[] {
  const embedding = bidi.getEmbeddingLevels(line)
  const places: number[] = []
  bidi.getReorderedIndices(line, embedding).forEach((index, place) => {
    places[index] = place
  })
  const mirrored = bidi.getMirroredCharactersMap(line, embedding.levels)
  const parts: { chars: string[]; font: Buffer; level: number; at: number }[] = []
  let index = 0
  for (const char of line) {
    const [level, font] = [embedding.levels[index]!, fonts.of(char)]
    const last = parts.at(-1)
    const shown = mirrored.get(index) ?? char
    if (last?.level === level && last.font === font) last.chars.push(shown)
    else parts.push({ chars: [shown], font, level, at: places[index]! })
    index += char.length
  }
  return parts
    .map(({ chars, level, ...rest }) => ({ ...rest, text: turn(chars, level % 2 === 1) }))
    .sort((a, b) => a.at - b.at)
}

/** With features a run is laid out as a whole and not word by word, which would leave words of Arabic in the wrong order. */
const how = { features: [], lineBreak: false, baseline: 'alphabetic' as const }

const widthOf = (page: ReceiptPage, line: string, fonts: Fonts): number =>
  splitRuns(line, fonts).reduce((sum, { text, font }) => sum + page.font(font).widthOfString(text, how), 0)

const splitInto = (text: string, locale: string, granularity: 'word' | 'grapheme'): string[] =>
  [...new Intl.Segmenter(locale, { granularity }).segment(text)].map(({ segment }) => segment)

/** Lines that are no wider. */
export function wrap(
  page: ReceiptPage,
  text: string,
  fonts: Fonts,
  { width, locale }: { width: number; locale: string },
) {
  const fits = (line: string) => widthOf(page, line.trim(), fonts) <= width
  const pieces = splitInto(text, locale, 'word').flatMap(word =>
    fits(word) ? [word] : splitInto(word, locale, 'grapheme'),
  )
  const lines = ['']
  for (const piece of pieces) {
    if (fits(lines.at(-1)! + piece)) lines.push(lines.pop()! + piece)
    else lines.push(piece)
  }
  return lines.map(line => line.trim())
}

/** Draws a line on a baseline, from `x` to the right, or in a language that runs to the left so that it ends there. */
export function drawLine(
  page: ReceiptPage,
  line: string,
  fonts: Fonts,
  { x, y, isRtl }: { x: number; y: number; isRtl: boolean },
) {
  let at = isRtl ? x - widthOf(page, line, fonts) : x
  for (const { text, font } of splitRuns(line, fonts)) {
    page.font(font).text(text, at, y, how)
    at += page.widthOfString(text, how)
  }
}
