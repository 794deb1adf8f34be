import type { Message } from './queries.ts'

/** The words of a message without Markdown and tags. */
export function wordsOf({ content, content_format, content_html }: Message): string {
  if (content_format === 'text' || !content_html) return content
  return new DOMParser().parseFromString(content_html, 'text/html').body.textContent ?? ''
}
