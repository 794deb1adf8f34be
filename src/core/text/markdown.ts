import type sanitizeHtml from 'sanitize-html'
import { lazyRequire } from '../async/lazy-require.ts'

const load = lazyRequire<typeof sanitizeHtml>('sanitize-html')

/** Shared by all code that shows texts from outside as HTML. */

/** The allowed tags are the same everywhere. */
export type Allowed = Omit<sanitizeHtml.IOptions, 'allowedTags'>
export type Transformer = sanitizeHtml.Transformer

export const linkAttributes = { rel: 'noopener noreferrer nofollow', target: '_blank' }

/** Allows text, images and links, but no scripts, styles and forms. */
export const allowed: Allowed = {
  allowedAttributes: {
    a: ['href', 'title', 'target', 'rel'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    ol: ['start'],
    '*': ['dir', 'lang'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  nestingLimit: 50,
}

export function sanitize(html: string, options: Allowed): string {
  const sanitizeHtml = load()
  const allowedTags = sanitizeHtml.defaults.allowedTags.concat(['img', 'del', 'ins', 'details', 'summary'])
  return sanitizeHtml(html, { allowedTags, ...options }).trim()
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, char => entities[char]!)

/** The text of sanitised HTML, in which every < begins a tag and every > ends one. */
export const textOf = (html: string): string => decodeEntities(html.replaceAll(/<[^<>]*>/g, ''))

const decodeEntities = (html: string): string =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** One line of at most `length` characters. It ends with … if the text was longer. */
export function shorten(text: string, length: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= length
    ? line
    : `${line
        .slice(0, length - 1)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`
}
