import { textOfHtml } from '../../../mail/html-text.ts'
import { renderContent } from '../../../messages/messages.ts'
import type { EarlierMessage } from './build-queries.ts'

/** The content of a message in both versions of an email. */

type Content = Pick<EarlierMessage, 'content' | 'content_html' | 'content_format'>

export const mailHtmlOf = ({ content, content_html, content_format }: Content): string =>
  content_html ?? renderContent(content, content_format)

export const mailTextOf = (message: Content): string =>
  message.content_format === 'html' && message.content_html === null
    ? textOfHtml(mailHtmlOf(message))
    : message.content
