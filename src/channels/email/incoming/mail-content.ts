import { shortenText } from '../../../core/text/shorten-text.ts'
import { parseTime } from '../../../core/time.ts'
import type { MailClass } from '../../../mail/classify.ts'
import type { Mail, MailAddress } from '../../../mail/mail.ts'
import type { Folded } from '../../../mail/quotes.ts'
import { removeNoticeTokens } from '../../../mail/tokens.ts'
import type { NewMedia } from '../../../media/media.ts'
import type { StoredEmail } from '../../../messages/schema.ts'

/** Converts an email to a message. */

export const maxContent = 65_536

/** Characters. Longer HTML is not shown, because every list of the ticket's messages would contain it. */
const maxHtml = 1_048_576

export interface MessageContent {
  content: string
  /** The part of the text that exceeds the maximum length of a message; '' if there is none. */
  rest: string
  html: string | null
}

export type FileId = Pick<NewMedia, 'id'>

/** Points inline images to their stored files. */
const placeImages = (html: string, media: FileId[]): string =>
  html.replaceAll(/(<img\b[^<>]*? )data-file="(\d+)"/g, (tag, before, index) => {
    const file = media[Number(index)]
    return file ? `${before}src="/api/v1/media/${file.id}"` : tag
  })

/** A calendar invitation becomes a line above the text and a file. */
export const withInvitation = ({ invitation, text }: Mail): string =>
  invitation && !text.includes(invitation.summary) ? `${invitation.summary}\n\n${text}`.trim() : text

/** Removes the secret reply address, which quoted text in an operator's reply may contain. */
export function toContent(
  { visibleText, visibleHtml }: Pick<Folded, 'visibleText' | 'visibleHtml'>,
  media: FileId[],
): MessageContent {
  const { kept, rest } = shortenText(removeNoticeTokens(visibleText.trim()), maxContent)
  const isShown = visibleHtml !== null && visibleHtml.length <= maxHtml
  return { content: kept, rest, html: isShown ? placeImages(removeNoticeTokens(visibleHtml), media) : null }
}

/** The parts of the email that the message does not show. */
export const listCuts = (
  { rest, html }: MessageContent,
  { visibleHtml }: Pick<Folded, 'visibleHtml'>,
  isPartial: boolean,
): string[] => [
  ...(rest === '' ? [] : ['content']),
  ...(visibleHtml !== null && html === null ? ['html'] : []),
  ...(isPartial ? ['mail'] : []),
]

export interface MailJudgement {
  class: MailClass
  reason: string
  evidence: string | null
  related: string | null
  warnings: string[]
  authentication: StoredEmail['authentication']
  isSpam: boolean
  answerTo: MailAddress[]
}

const addressesOf = (list: MailAddress[]): string[] => list.map(({ address }) => address)

/** The message's `email` field. */
export const describeMail = (
  { headers, ...mail }: Mail,
  judged: MailJudgement,
  {
    mailboxId,
    inline,
    isFolded,
    cuts,
  }: { mailboxId: string; inline: FileId[]; isFolded: boolean; cuts: string[] },
): StoredEmail => ({
  message_id: headers.messageId && `<${headers.messageId}>`,
  in_reply_to: headers.inReplyTo[0] ? `<${headers.inReplyTo[0]}>` : null,
  from: headers.from?.address ?? null,
  from_name: headers.from?.name ?? null,
  to: addressesOf(headers.to),
  cc: addressesOf(headers.cc),
  bcc: [],
  reply_to: addressesOf(judged.answerTo),
  subject: headers.subject,
  date: headers.date && parseTime(headers.date),
  mailbox_id: mailboxId,
  thread_reason: judged.reason,
  thread_evidence: judged.evidence,
  related_ticket_id: judged.related,
  warnings: judged.warnings,
  class: judged.class,
  authentication: judged.authentication,
  spam: judged.isSpam,
  signature: mail.signature,
  encrypted: mail.encrypted,
  invitation: mail.invitation?.summary ?? null,
  truncated: [...new Set([...mail.truncated, ...cuts])],
  inline_media_ids: inline.map(file => file.id),
  has_quote: isFolded,
  has_raw: true,
})
