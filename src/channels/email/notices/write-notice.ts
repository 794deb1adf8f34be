import type { OutgoingMail } from '../../../core/mail/mail.ts'
import { renderMail } from '../../../core/mail/mail-layout.ts'
import { shortenText } from '../../../core/text/shorten-text.ts'
import { readableText } from '../../../messages/messages.ts'
import type { NoticedMessage, NoticeRecipient } from './notice-queries.ts'
import type { NoticeMailTexts } from './texts/shape.ts'
import { noticeMailTextsOf } from './texts/texts.ts'

/** Writes an email to an operator about a ticket. */

export interface NoticeToWrite {
  emailId: string
  url: string
  recipient: NoticeRecipient
  news: NoticedMessage[]
  answer: keyof NoticeMailTexts['answers']
  replyTo: string | null
}

/** Characters per message. */
const maxContent = 4_000

const linesOf = ({ content, content_format }: NoticedMessage): string[] =>
  shortenText(readableText(content, content_format), maxContent)
    .kept.split('\n')
    .map(line => line.trim())
    .filter(Boolean)

/** Removes duplicates: an assignment contains the contact's newest message, which may also have a notice of its own. */
const listMessages = (news: NoticedMessage[]): NoticedMessage[] =>
  news.filter(
    (one, at) =>
      one.kind !== 'assigned' || !news.some((other, index) => index !== at && other.content === one.content),
  )

/** Messages are inserted as values, so that a `{name}` in them is not replaced. */
function paragraphsOf(texts: NoticeMailTexts, news: NoticedMessage[], values: Record<string, string>) {
  const paragraphs: string[] = []
  const add = (text: string) => {
    const name = `line${paragraphs.length}`
    values[name] = text
    paragraphs.push(`{${name}}`)
  }
  if (news.some(({ kind }) => kind === 'assigned')) paragraphs.push(texts.assigned)
  for (const message of listMessages(news)) {
    if (message.content === '' && message.kind === 'assigned') continue
    add(texts.wrote.replace('{author}', () => message.sender_name ?? texts.someone))
    const lines = linesOf(message)
    if (lines.length === 0) paragraphs.push(texts.files)
    for (const line of lines) add(line)
  }
  return paragraphs
}

const order = ['mentioned', 'assigned', 'waiting'] as const

export function writeNotice({ emailId, url, recipient, news, answer, replyTo }: NoticeToWrite): OutgoingMail {
  const language = noticeMailTextsOf(recipient.locale)
  const { texts } = language
  const kind = order.find(one => news.some(item => item.kind === one))!
  const customer = recipient.contact ?? texts.someone
  const mentioning = news.find(item => item.kind === 'mentioned')?.sender_name ?? texts.someone
  const values = {
    author: kind === 'mentioned' ? mentioning : customer,
    ticket: recipient.subject,
    number: String(recipient.number),
    customer,
  }
  const paragraphs = paragraphsOf(texts, news, values)
  const small = `${texts.answers[answer]} ${texts.settings}`
  return {
    id: `notice.${emailId}`,
    to: [recipient.email],
    sender: recipient.project,
    ...(replyTo !== null && { replyTo }),
    ...renderMail(
      { ...texts.headings[kind], paragraphs, action: texts.action, small },
      { language, from: recipient.project, color: recipient.color, values, url },
    ),
  }
}
