import { isVisible } from '../core/visible-text.ts'
import { type DecodedText, decodeText, findCharset, findMetaCharset } from './charset.ts'
import { unflow } from './flowed.ts'
import { htmlOfText, roughTextOfHtml, saysAsMuch, textOfHtml } from './html-text.ts'
import { isNestedDeeper } from './nesting.ts'
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
  /** The text of the HTML; '' if there is none. */
  inHtml: string
  charset: string
}

interface Context {
  findFile: FindFile
  neighbour: string | null
  /** HTML is shown as rough text only: for a mail that could not be read otherwise. */
  isRough: boolean
  /** Called when HTML was too deep to be sanitised in time. */
  onCut: () => void
}

const maxNesting = 500

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

const makeHtml = (html: string, charset: string): Segment => ({
  plain: null,
  html,
  inHtml: textOfHtml(html),
  charset,
})

function readText(part: Part, context: Context): Segment {
  const { text, charset } = decodePart(part, context.neighbour)
  if (part.contentType === 'text/html') {
    const isTooDeep = !context.isRough && isNestedDeeper(text, maxNesting)
    if (isTooDeep) context.onCut()
    return context.isRough || isTooDeep
      ? { plain: roughTextOfHtml(text), html: null, inHtml: '', charset }
      : makeHtml(sanitizeMail(text, context.findFile), charset)
  }
  const isFlowed = part.params.format?.toLowerCase() === 'flowed'
  const plain = isFlowed ? unflow(text, part.params.delsp?.toLowerCase() === 'yes') : text
  return { plain: trimLines(plain), html: null, inHtml: '', charset }
}

const saysPlainly = ({ plain }: Segment): boolean => plain !== null && isVisible(plain)
const saysInHtml = ({ inHtml }: Segment): boolean => isVisible(inHtml)
const shows = ({ html }: Segment): boolean => html?.includes('<img') ?? false

/** The HTML of the last alternative that shows something, beside the plain text of the first that says something. */
function choose(alternatives: Segment[][]): Segment[] {
  const plain = alternatives.find(one => one.some(saysPlainly))
  const rich = alternatives.findLast(one => one.some(segment => saysInHtml(segment) || shows(segment)))
  if (!rich || rich === plain) return rich ?? plain ?? alternatives[0] ?? []
  const showsFile = rich.some(({ html }) => html?.includes('data-file='))
  if (plain && !rich.some(saysInHtml) && !showsFile) return plain
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

/** The plain text, or that of the HTML where this says more. */
function plainOf({ plain, html, inHtml }: Segment): string {
  if (html === null) return plain ?? ''
  return plain !== null && saysAsMuch(plain, inHtml) ? plain : inHtml
}

const joinTexts = (texts: string[]): string => texts.filter(text => text !== '').join('\n\n')

const joinHtml = (segments: Segment[]): string =>
  segments.map(({ html, plain }) => html ?? htmlOfText(plain ?? '')).join('\n')

/** The text and HTML of the mail. `findFile` is asked for every picture. */
export function readBody(root: Part, context: Omit<Context, 'neighbour'>): MailBody {
  const segments = listSegments(root, { ...context, neighbour: declaredCharset(root) })
  const kept = segments.filter(one => saysPlainly(one) || saysInHtml(one) || shows(one))
  return {
    text: trimLines(joinTexts(kept.map(plainOf))),
    html: kept.some(({ html }) => html !== null) ? joinHtml(kept) : null,
    charset: kept[0]?.charset ?? null,
  }
}
