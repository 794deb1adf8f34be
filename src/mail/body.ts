import { isVisible } from '../core/visible-text.ts'
import { type DecodedText, decodeText, findCharset, findMetaCharset } from './charset.ts'
import { unflow } from './flowed.ts'
import { htmlOfText, roughTextOfHtml, saysAsMuch, textOfHtml } from './html-text.ts'
import { listParts, type Part } from './part.ts'
import { type FindFile, sanitizeMail } from './sanitize.ts'

/** Chooses among the texts of a mail, and puts them together in their order. */

export interface MailBody {
  text: string
  html: string | null
  charset: string | null
}

/** One text of the mail, in one form or both. The HTML is sanitised. */
interface Segment {
  plain: string | null
  html: string | null
  charset: string
}

interface Context {
  findFile: FindFile
  neighbour: string | null
  /** HTML is shown as rough text only: for a mail that could not be read otherwise. */
  isRough: boolean
}

/** The declared charset of the first text that declares one. */
export const declaredCharset = (root: Part): string | null =>
  listParts(root)
    .filter(({ role }) => role === 'text')
    .map(({ params }) => findCharset(params.charset))
    .find(charset => charset !== null) ?? null

const trimLines = (text: string): string => text.replace(/^\s*\n/, '').trimEnd()

export function decodePart({ body, params, contentType }: Part, neighbour: string | null): DecodedText {
  const bytes = body?.head ?? Buffer.alloc(0)
  const meta = contentType === 'text/html' ? findMetaCharset(bytes) : null
  const { text, charset } = decodeText(bytes, { declared: params.charset ?? null, meta, neighbour })
  return { text: text.replaceAll('\0', '').toWellFormed().replaceAll(/\r\n?/g, '\n'), charset }
}

function readText(part: Part, context: Context): Segment {
  const { text, charset } = decodePart(part, context.neighbour)
  if (part.contentType === 'text/html')
    return context.isRough
      ? { plain: roughTextOfHtml(text), html: null, charset }
      : { plain: null, html: sanitizeMail(text, context.findFile), charset }
  const isFlowed = part.params.format?.toLowerCase() === 'flowed'
  const plain = isFlowed ? unflow(text, part.params.delsp?.toLowerCase() === 'yes') : text
  return { plain: trimLines(plain), html: null, charset }
}

const shows = (html: string | null): html is string =>
  html !== null && (/<img\b/.test(html) || isVisible(textOfHtml(html)))

/** The HTML of the last alternative that shows something, beside the plain text of the first that says something. */
function choose(alternatives: Segment[][]): Segment[] {
  const plain = alternatives.find(one => one.some(({ plain }) => plain !== null && isVisible(plain)))
  const rich = alternatives.findLast(one => one.some(({ html }) => shows(html)))
  if (!rich || rich === plain) return rich ?? plain ?? alternatives[0] ?? []
  const hasText = rich.some(({ html }) => html !== null && isVisible(textOfHtml(html)))
  if (plain && !hasText && !rich.some(({ html }) => html?.includes('data-file='))) return plain
  return [{ plain: plain ? joinPlain(plain) : null, html: joinHtml(rich), charset: rich[0]!.charset }]
}

function listSegments(part: Part, context: Context): Segment[] {
  if (part.role === 'text') return [readText(part, context)]
  const inChildren = part.children.map(child => listSegments(child, context))
  return part.contentType === 'multipart/alternative'
    ? choose(inChildren.filter(segments => segments.length))
    : inChildren.flat()
}

/** The plain text, or that of the HTML where this says more. */
function plainOf({ plain, html }: Segment): string {
  if (html === null) return plain ?? ''
  const text = textOfHtml(html)
  return plain !== null && saysAsMuch(plain, text) ? plain : text
}

const joinPlain = (segments: Segment[]): string =>
  segments
    .map(plainOf)
    .filter(text => text !== '')
    .join('\n\n')

const joinHtml = (segments: Segment[]): string =>
  segments.map(({ html, plain }) => html ?? htmlOfText(plain ?? '')).join('\n')

/** The text and HTML of the mail. `findFile` is asked for every picture. */
export function readBody(root: Part, findFile: FindFile, isRough: boolean): MailBody {
  const segments = listSegments(root, { findFile, neighbour: declaredCharset(root), isRough })
  const kept = segments.filter(({ plain, html }) => isVisible(plain ?? '') || shows(html))
  const shown = kept.length ? kept : segments.slice(0, 1)
  return {
    text: trimLines(joinPlain(shown)),
    html: kept.some(({ html }) => html !== null) ? joinHtml(kept) : null,
    charset: kept[0]?.charset ?? null,
  }
}
