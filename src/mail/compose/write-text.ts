import { describeAuthor, describeLink } from './mail-lines.ts'
import type { OutgoingEmail, QuotedMessage } from './outgoing-email.ts'
import { composeTextsOf } from './texts/texts.ts'

const mark = (line: string): string => (line.startsWith('>') ? `>${line}` : `> ${line}`.trimEnd())

const quoteMessage = (message: QuotedMessage): string =>
  [describeAuthor(message).texts, ...message.text.trim().split('\n').map(mark)].join('\n')

/** The plain text of an email: the message, links, signature and quoted messages. */
export function writeMailText({
  content,
  links,
  signature,
  history,
  language,
}: Pick<OutgoingEmail, 'content' | 'links' | 'signature' | 'history' | 'language'>): string {
  const texts = composeTextsOf(language)
  return [
    content.text.trim(),
    ...links.map(link => `${describeLink(link, texts)}\n${link.url}`),
    ...(signature?.text.trim() ? [`-- \n${signature.text.trim()}`] : []),
    ...history.map(quoteMessage),
  ]
    .join('\n\n')
    .replaceAll('\0', '')
    .toWellFormed()
    .concat('\n')
}
