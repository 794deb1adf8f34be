import { escapeHtml } from '../text/markdown.ts'

/** Texts as HTML, with matches marked. */

interface Place {
  start: number
  end: number
}

/** The number of characters before and after a match, and the number of parts of a text. */
const contextLength = 90
const maxParts = 2
/** The maximum length of a part that is joined from overlapping parts. */
const maxPartLength = 400

/** A part of a text as HTML, without tags except `<mark>`. */
function markPart(text: string, places: readonly Place[], from: number, to: number): string {
  let html = ''
  let at = from
  for (const { start, end } of places) {
    if (start < from || end > to) continue
    html += `${escapeHtml(text.slice(at, start))}<mark>${escapeHtml(text.slice(start, end))}</mark>`
    at = end
  }
  return html + escapeHtml(text.slice(at, to))
}

export const markAll = (text: string, places: readonly Place[]): string =>
  markPart(text, places, 0, text.length)

/** The nearest space before or after a position, so that no word is cut. A text without spaces is cut anywhere. */
function snap(text: string, at: number, step: 1 | -1): number {
  for (let n = 0; n < 20; n++) {
    const next = at + step * n
    if (next <= 0) return 0
    if (next >= text.length) return text.length
    if (/\s/.test(text[next]!)) return step === 1 ? next : next + 1
  }
  const isPair = /[\udc00-\udfff]/.test(text[at]!)
  return isPair ? at + 1 : at
}

function partsOf(text: string, places: readonly Place[]): Place[] {
  const parts: Place[] = []
  for (const { start, end } of places) {
    const part = {
      start: snap(text, Math.max(start - contextLength, 0), -1),
      end: snap(text, Math.min(end + contextLength, text.length), 1),
    }
    const last = parts.at(-1)
    if (last && part.start <= last.end) {
      if (part.end - last.start > maxPartLength) break
      last.end = part.end
    } else if (parts.length === maxParts) break
    else parts.push(part)
  }
  return parts.length ? parts : [{ start: 0, end: snap(text, Math.min(2 * contextLength, text.length), 1) }]
}

/** The text around the matches as HTML; without matches, the beginning of the text. */
export const markParts = (text: string, places: readonly Place[]): string =>
  partsOf(text, places)
    .map(({ start, end }) => markPart(text, places, start, end).replaceAll(/\s+/g, ' ').trim())
    .join(' … ')

/** The part of a text around the first match, with a maximum length in UTF-16 units, and where it begins. */
export function snippetAround(
  text: string,
  places: readonly Place[],
  length: number,
): { start: number; text: string } {
  const first = places[0]?.start ?? 0
  const start = first < length / 2 ? 0 : snap(text, first - Math.floor(length / 3), -1)
  const part = text.slice(start, start + length)
  return { start, text: (part.isWellFormed() ? part : part.slice(0, -1)).toWellFormed() }
}
