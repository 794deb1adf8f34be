import type { MessageEntity } from '@grammyjs/types'
import type { FormattedText } from './html-entities.ts'

/** Splits a text that is too long for one message. Lengths are in UTF-16 code units. */

export const maxTextLength = 4096
export const maxCaptionLength = 1024

/** The best places to cut a text, in order: after a paragraph, a line, a sentence or a word. */
const boundaries = [/\n{2,}/g, /\n/g, /[.!?…。！？]\s+/g, /\s+/g]

const endOf = (entity: MessageEntity): number => entity.offset + entity.length

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

/** The last boundary in the second half of the text that fits. */
function findBoundary(text: string, max: number): number {
  const fitting = text.slice(0, max)
  for (const boundary of boundaries) {
    const ends = [...fitting.matchAll(boundary)].map(({ index, 0: found }) => index + found.length)
    const last = ends.at(-1)
    if (last !== undefined && last >= max / 2) return last
  }
  return isHighSurrogate(text.charCodeAt(max - 1)) ? max - 1 : max
}

/** Moves a cut out of any formatted passage that fits into one message. */
function moveOut(entities: MessageEntity[], wanted: number, max: number): number {
  let cut = wanted
  for (let moved = true; moved; ) {
    const crossed = entities.find(
      one => one.offset < cut && endOf(one) > cut && one.length <= max && one.offset > 0,
    )
    moved = crossed !== undefined
    if (crossed) cut = crossed.offset
  }
  return cut
}

/** The parts of entities within a range, relative to its start. */
const cutEntities = (entities: MessageEntity[], from: number, to: number): MessageEntity[] =>
  entities.flatMap(entity => {
    const [start, end] = [Math.max(entity.offset, from), Math.min(endOf(entity), to)]
    return end > start ? [{ ...entity, offset: start - from, length: end - start }] : []
  })

/** Removes spaces at both ends. */
function trim({ text, entities }: FormattedText): FormattedText {
  const start = text.length - text.trimStart().length
  const end = text.trimEnd().length
  return { text: text.slice(start, Math.max(start, end)), entities: cutEntities(entities, start, end) }
}

/** A formatted passage that is too long for one message keeps its formatting in the next. */
export function splitText(given: FormattedText, max = maxTextLength): FormattedText[] {
  const parts: FormattedText[] = []
  let rest = trim(given)
  while (rest.text.length > max) {
    const { text, entities } = rest
    const cut = moveOut(entities, findBoundary(text, max), max)
    parts.push(trim({ text: text.slice(0, cut), entities: cutEntities(entities, 0, cut) }))
    rest = trim({ text: text.slice(cut), entities: cutEntities(entities, cut, text.length) })
  }
  return [...parts, rest].filter(({ text }) => text !== '')
}
