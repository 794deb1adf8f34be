import MarkdownIt from 'markdown-it'
import sanitizeHtml from 'sanitize-html'

export type Format = 'text' | 'markdown' | 'html'

// Bounded in depth, and nearly linear: 64 KiB of the worst input took 0.9 s, so that longer texts are shown as they are.
const longestMarkdown = 16 * 1024
const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true })

const allowed: sanitizeHtml.IOptions = {
  allowedTags: sanitizeHtml.defaults.allowedTags.concat(['img', 'del', 'ins', 'details', 'summary']),
  allowedAttributes: {
    a: ['href', 'title', 'target', 'rel'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    '*': ['dir', 'lang'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  transformTags: {
    a: sanitizeHtml.simpleTransform('a', { rel: 'noopener noreferrer nofollow', target: '_blank' }),
  },
  nestingLimit: 50,
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, char => entities[char]!)

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
  const html = format === 'markdown' ? markdown.render(content) : content
  return sanitizeHtml(html, allowed).trim()
}

const plain: sanitizeHtml.IOptions = { allowedTags: [], allowedAttributes: {}, textFilter: text => text }

/** The beginning of a message as plain text, at most 140 characters. */
export function previewOf(content: string, format: Format): string {
  const start = content.slice(0, 2_000)
  const text = format === 'text' ? start : decodeEntities(sanitizeHtml(renderContent(start, format), plain))
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= 140
    ? line
    : `${line
        .slice(0, 139)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`
}

const decodeEntities = (html: string): string =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
