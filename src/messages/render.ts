import type MarkdownIt from 'markdown-it'
import { lazyRequire } from '../core/async/lazy-require.ts'
import { type Allowed, allowed, linkAttributes, sanitize, shorten, textOf } from '../core/text/markdown.ts'
import { isVisible } from '../core/text/visible-text.ts'
import { textOfHtml } from '../mail/html-text.ts'
import { linkText } from './links.ts'
import type { Message } from './schema.ts'

export type Format = 'text' | 'markdown' | 'html'

// Nesting is limited, and the time is nearly linear: 64 KiB of the worst input took 0.9 s. Longer texts are shown as plain text.
const maxMarkdownLength = 16 * 1024
const load = lazyRequire<typeof MarkdownIt>('markdown-it')
let reader: InstanceType<typeof MarkdownIt> | null = null

function renderMarkdown(text: string): string {
  reader ??= new (load())({ html: false, linkify: true, breaks: true })
  return reader.render(text)
}

const inMessages: Allowed = {
  ...allowed,
  transformTags: {
    a: (tagName, attribs) => ({
      tagName,
      attribs: { ...attribs, ...linkAttributes },
    }),
  },
}

const renderText = (text: string): string =>
  text === ''
    ? ''
    : text
        .split(/\n{2,}/)
        .map(part => `<p>${linkText(part).replaceAll('\n', '<br>')}</p>`)
        .join('')

/** Renders the content as HTML that is safe to display, without scripts and foreign styles. */
export function renderContent(content: string, format: Format): string {
  if (format === 'text' || (format === 'markdown' && content.length > maxMarkdownLength))
    return renderText(content)
  return sanitize(format === 'markdown' ? renderMarkdown(content) : content, inMessages)
}

/** Removes closed comments. A regular expression would search for the end from the beginning of each comment, in quadratic time. */
function dropComments(html: string): string {
  let rest = ''
  let at = 0
  for (;;) {
    const begin = html.indexOf('<!--', at)
    const end = begin < 0 ? -1 : html.indexOf('-->', begin + 4)
    if (end < 0) return rest + html.slice(at)
    rest += html.slice(at, begin)
    at = end + 3
  }
}

const tagsAndEntities = /<[^<>]*>|&#?\w+;/g

/** Whether there is something visible. Comments, empty tags and invisible characters are not; an image or a rule is. */
export function hasVisibleContent(content: string, format: Format): boolean {
  if (format !== 'html' || !isVisible(content)) return isVisible(content)
  if (isVisible(dropComments(content).replaceAll(tagsAndEntities, ''))) return true
  const html = renderContent(content, format)
  return /<(?:img|hr)\b/.test(html) || isVisible(textOf(html))
}

// Tags that may be inside a word. All others end a line.
const withinWords = /<\/?(?:a|abbr|b|code|del|em|font|i|ins|mark|s|small|span|strong|sub|sup|u)\b[^<>]*>/g
const tags = /<[^<>]*>/g

/** The words without formatting and without the addresses of links. */
const wordsOf = (content: string, format: Format): string =>
  format === 'text'
    ? content
    : textOf(renderContent(content, format).replaceAll(withinWords, '').replaceAll(tags, '\n'))

const beginningOf = (content: string, format: Format): string => wordsOf(content.slice(0, 2_000), format)

/** The text to which highlight positions refer: the content itself, or the text of its HTML. */
export const plainText = (content: string, format: Format): string =>
  format === 'html' ? wordsOf(content, format) : content

const described = /<img [^<>]*?alt="([^"<>]+)"[^<>]*>/g

/** The message for readers of plain text: lists and quotes keep their markers, links their addresses, and pictures their descriptions. */
export const readableText = (content: string, format: Format): string =>
  format === 'text' ? content : textOfHtml(renderContent(content, format).replaceAll(described, '$1'))

const linked = /<a [^<>]*?href="([^"<>]*)"/g

/** URLs of links in a message that do not appear in its text. */
export const addressesOf = (content: string, format: Format): string | null =>
  format === 'html'
    ? [...renderContent(content, format).matchAll(linked)].map(([, address]) => textOf(address!)).join('\n')
    : null

const maxPreview = 140

/** The beginning of a message as plain text, at most 140 characters. */
export const previewOf = (content: string, format: Format): string =>
  shorten(beginningOf(content, format), maxPreview)

/** The preview of a ticket's last message: its text, or the names of its files if it has no text. */
export const previewInTicket = ({
  content,
  content_format,
  media,
}: Pick<Message, 'content' | 'content_format' | 'media'>): string =>
  previewOf(content, content_format) || shorten(media.map(({ filename }) => filename).join(', '), maxPreview)

interface Opening {
  subject?: string | null
  content?: string | null
  content_format?: Format
}

/** The subject of a ticket: the given one, or the first 80 characters of its first message on one line. */
export function subjectOf({ subject, content, content_format = 'text' }: Opening): string {
  const given = subject?.trim()
  if (given) return given
  const line = beginningOf(content ?? '', content_format)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return [...line].slice(0, 80).join('').trim() || 'New request'
}
