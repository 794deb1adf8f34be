import type { MessageEntity } from '@grammyjs/types'
import { escapeHtml, linkAttributes } from '../../../core/text/markdown.ts'

/** Converts the formatting of a received text to HTML. */

const tags: Partial<Record<MessageEntity['type'], string>> = {
  bold: 'strong',
  italic: 'em',
  underline: 'u',
  strikethrough: 's',
  code: 'code',
  pre: 'pre',
  blockquote: 'blockquote',
  expandable_blockquote: 'blockquote',
}

const mayOpen = (url: string): boolean => /^(?:https?|mailto|tel):/i.test(url)

function linkTo(url: string): string {
  const attributes = Object.entries(linkAttributes).map(([name, value]) => ` ${name}="${value}"`)
  return `<a href="${escapeHtml(url)}"${attributes.join('')}>`
}

/** The opening tag of an entity; null if it needs none. */
function openingTag(entity: MessageEntity, text: string): string | null {
  const tag = tags[entity.type]
  if (tag) return `<${tag}>`
  const shown = text.slice(entity.offset, entity.offset + entity.length)
  if (entity.type === 'text_link') return mayOpen(entity.url) ? linkTo(entity.url) : null
  if (entity.type === 'url') return linkTo(/^https?:/i.test(shown) ? shown : `https://${shown}`)
  return entity.type === 'email' ? linkTo(`mailto:${shown}`) : null
}

const closingTag = (opening: string): string => `</${/^<(\w+)/.exec(opening)?.[1] ?? 'span'}>`

interface Span {
  from: number
  to: number
  opening: string
}

/** Links that are visible in the plain text need no HTML. */
const isFormatting = ({ type }: MessageEntity): boolean => type in tags || type === 'text_link'

const escaped = (text: string): string => escapeHtml(text).replaceAll('\n', '<br>')

function renderSpans(text: string, spans: Span[], from: number, to: number): string {
  let html = ''
  let at = from
  let rest = spans
  while (rest.length > 0) {
    const [first, ...others] = rest
    if (!first) break
    const isInside = ({ from: start, to: end }: Span): boolean => start < first.to && end <= first.to
    const inner = others.filter(isInside)
    // Telegram's entities never overlap partially. Any that do are dropped.
    rest = others.filter(span => span.from >= first.to)
    html += escaped(text.slice(at, first.from))
    html += first.opening + renderSpans(text, inner, first.from, first.to) + closingTag(first.opening)
    at = first.to
  }
  return html + escaped(text.slice(at, to))
}

/** Null if plain text is enough. */
export function formatText(text: string, entities: MessageEntity[] = []): string | null {
  if (!entities.some(isFormatting)) return null
  const spans = entities
    .flatMap(entity => {
      const opening = openingTag(entity, text)
      const span = { from: entity.offset, to: Math.min(entity.offset + entity.length, text.length) }
      return opening && span.to > span.from ? [{ ...span, opening }] : []
    })
    .sort((one, other) => one.from - other.from || other.to - one.to)
  return `<p>${renderSpans(text, spans, 0, text.length)}</p>`
}
