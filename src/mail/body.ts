import { isVisible } from '../core/text/visible-text.ts'
import { type DecodedText, decodeText, findCharset, findMetaCharset } from './charset.ts'
import { unflow } from './flowed.ts'
import { htmlOfText, roughTextOfHtml, saysAsMuch, textOfHtml } from './html-text.ts'
import { mailLimits } from './limits.ts'
import { isNestedDeeper } from './nesting.ts'
import { listParts, type Part } from './part.ts'
import { type FindFile, sanitizeMail } from './sanitize.ts'

/** Selects the text parts of an email to show and joins them in order. */

export interface MailBody {
  text: string
  html: string | null
  charset: string | null
}

/** A piece of the text as plain text, HTML or both. The HTML is sanitised. */
interface Segment {
  plain: string | null
  html: string | null
  /** The text of the HTML; '' if there is none. */
  inHtml: string
  charset: string
}

interface Context {
  findFile: FindFile
  neighbour: string | null
  /** Converts HTML to rough text only, for an email that could not be parsed otherwise. */
  isRough: boolean
  /** Called when HTML is nested too deeply to be sanitised in time, or when the texts are too long together. */
  onCut: (what: 'html' | 'text') => void
}

/** The charset of the first text part that declares one. */
export const declaredCharset = (root: Part): string | null =>
  listParts(root)
    .filter(({ role }) => role === 'text')
    .map(({ params }) => findCharset(params.charset))
    .find(charset => charset !== null) ?? null

const trimLines = (text: string): string => text.replace(/^\s*\n/, '').trimEnd()

export function decodePart(
  { body, params, contentType }: Pick<Part, 'body' | 'params' | 'contentType'>,
  neighbour: string | null,
): DecodedText {
  const bytes = body?.head ?? Buffer.alloc(0)
  const meta = contentType === 'text/html' ? findMetaCharset(bytes) : null
  const { text, charset } = decodeText(bytes, { declared: params.charset ?? null, meta, neighbour })
  return { text: text.replaceAll('\0', '').toWellFormed().replaceAll(/\r\n?/g, '\n'), charset }
}

const makeHtml = (html: string, charset: string): Segment => ({
  plain: null,
  html,
  inHtml: textOfHtml(html),
  charset,
})

function readText(part: Part, context: Context): Segment {
  const { text, charset } = decodePart(part, context.neighbour)
  if (part.contentType === 'text/html') {
    const isTooDeep = !context.isRough && isNestedDeeper(text, mailLimits.nesting)
    if (isTooDeep) context.onCut('html')
    return context.isRough || isTooDeep
      ? { plain: roughTextOfHtml(text), html: null, inHtml: '', charset }
      : makeHtml(sanitizeMail(text, context.findFile), charset)
  }
  const isFlowed = part.params.format?.toLowerCase() === 'flowed'
  const plain = isFlowed ? unflow(text, part.params.delsp?.toLowerCase() === 'yes') : text
  return { plain: trimLines(plain), html: null, inHtml: '', charset }
}

const hasPlainText = ({ plain }: Segment): boolean => plain !== null && isVisible(plain)
const hasHtmlText = ({ inHtml }: Segment): boolean => isVisible(inHtml)
const hasImage = ({ html }: Segment): boolean => html?.includes('<img') ?? false

/** Combines the HTML of the last alternative with visible content and the plain text of the first alternative with visible text. */
function choose(alternatives: Segment[][]): Segment[] {
  const plain = alternatives.find(one => one.some(hasPlainText))
  const rich = alternatives.findLast(one => one.some(segment => hasHtmlText(segment) || hasImage(segment)))
  if (!rich || rich === plain) return rich ?? plain ?? alternatives[0] ?? []
  const hasFileImage = rich.some(({ html }) => html?.includes('data-file='))
  if (plain && !rich.some(hasHtmlText) && !hasFileImage) return plain
  const inHtml = joinTexts(rich.map(plainOf))
  const { charset } = rich[0]!
  return [{ plain: plain ? joinTexts(plain.map(plainOf)) : null, html: joinHtml(rich), inHtml, charset }]
}

function listSegments(part: Part, context: Context): Segment[] {
  if (part.role === 'text') return [readText(part, context)]
  const inChildren = part.children.map(child => listSegments(child, context))
  return part.contentType === 'multipart/alternative'
    ? choose(inChildren.filter(segments => segments.length))
    : inChildren.flat()
}

/** The plain text, or the text of the HTML if that contains more. */
function plainOf({ plain, html, inHtml }: Segment): string {
  if (html === null) return plain ?? ''
  return plain !== null && saysAsMuch(plain, inHtml) ? plain : inHtml
}

const joinTexts = (texts: string[]): string => texts.filter(text => text !== '').join('\n\n')

const joinHtml = (segments: Segment[]): string =>
  segments.map(({ html, plain }) => html ?? htmlOfText(plain ?? '')).join('\n')

/** The text and HTML of the email. `findFile` is called for every image. */
export function readBody(root: Part, context: Omit<Context, 'neighbour'>): MailBody {
  const segments = listSegments(root, { ...context, neighbour: declaredCharset(root) })
  const kept = segments.filter(one => hasPlainText(one) || hasHtmlText(one) || hasImage(one))
  const text = trimLines(joinTexts(kept.map(plainOf)))
  if (text.length > mailLimits.textBytes) context.onCut('text')
  return {
    text: text.slice(0, mailLimits.textBytes),
    html: kept.some(({ html }) => html !== null) ? joinHtml(kept) : null,
    charset: kept[0]?.charset ?? null,
  }
}
