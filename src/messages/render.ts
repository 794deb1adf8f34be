import type MarkdownIt from 'markdown-it'
import { later } from '../core/later.ts'
import { type Allowed, allowed, escapeHtml, sanitize, shorten, textOf } from '../core/markdown.ts'

export type Format = 'text' | 'markdown' | 'html'

// Bounded in depth, and nearly linear: 64 KiB of the worst input took 0.9 s, so that longer texts are shown as they are.
const longestMarkdown = 16 * 1024
const load = later<typeof MarkdownIt>('markdown-it')
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
      attribs: { ...attribs, rel: 'noopener noreferrer nofollow', target: '_blank' },
    }),
  },
}

const renderText = (text: string): string =>
  text === ''
    ? ''
    : text
        .split(/\n{2,}/)
        .map(part => `<p>${escapeHtml(part).replaceAll('\n', '<br>')}</p>`)
        .join('')

/** HTML that is safe to show: whatever came in, no script and no foreign style is left. */
export function renderContent(content: string, format: Format): string {
  if (format === 'text' || (format === 'markdown' && content.length > longestMarkdown))
    return renderText(content)
  return sanitize(format === 'markdown' ? renderMarkdown(content) : content, inMessages)
}

function beginningOf(content: string, format: Format): string {
  const start = content.slice(0, 2_000)
  return format === 'text' ? start : textOf(renderContent(start, format))
}

/** The beginning of a message as plain text, at most 140 characters. */
export const previewOf = (content: string, format: Format): string =>
  shorten(beginningOf(content, format), 140)

interface Opening {
  subject?: string | null
  content?: string | null
  content_format?: Format
}

/** Of a ticket: the one that was given, or the first 80 characters of its first message on one line. */
export function subjectOf({ subject, content, content_format = 'text' }: Opening): string {
  const given = subject?.trim()
  if (given) return given
  const line = beginningOf(content ?? '', content_format)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return [...line].slice(0, 80).join('').trim() || 'New request'
}
