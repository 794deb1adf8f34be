import { htmlOfText } from '../../../mail/html-text.ts'
import { readableText, renderContent } from '../../../messages/messages.ts'
import type { WrittenContent } from './build-queries.ts'

/** Converts the content of messages to text and to HTML. */

type Content = Pick<WrittenContent, 'content' | 'content_html' | 'content_format'>

/** Null for plain text. */
export const htmlOf = ({ content, content_html, content_format }: Content): string | null =>
  content_html ?? (content_format === 'text' ? null : renderContent(content, content_format))

export const plainOf = ({ content, content_format }: Content): string => readableText(content, content_format)

/** Joins the content of several messages. If several people wrote them, each starts with its author's name. */
export function joinContents(messages: WrittenContent[]): { text: string; html: string | null } {
  const isMixed = new Set(messages.map(({ sender_name }) => sender_name)).size > 1
  const authorOf = ({ sender_name }: WrittenContent): string[] =>
    isMixed && sender_name ? [`${sender_name}:`] : []
  const text = messages.flatMap(one => [...authorOf(one), plainOf(one)]).join('\n\n')
  if (messages.every(one => htmlOf(one) === null)) return { text, html: null }
  const html = messages.flatMap(one => [
    ...authorOf(one).map(htmlOfText),
    htmlOf(one) ?? htmlOfText(one.content),
  ])
  return { text, html: html.join('\n') }
}
