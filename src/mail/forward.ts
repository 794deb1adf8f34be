import type { Mail, MailAddress } from './mail.ts'
import { endOfHeaders, isRule, readHeaderLine } from './quote-heads.ts'
import { readHtmlLines, renderLines } from './quote-html.ts'
import { hasDate } from './quote-known.ts'
import { type QuoteLine, readTextLines } from './quote-lines.ts'
import { parseAddress } from './sender.ts'
import { readSubject, stripPrefixes } from './subject.ts'

/** A forwarded email. */
export interface Forwarded {
  /** The sender of the forwarded email. */
  sender: MailAddress
  subject: string
  text: string
  html: string | null
  /** The text above the forwarded email; '' if there is none. */
  note: string
}

/** Apple Mail puts one of these lines above the headers instead of dashes. */
const announcements = new Set(
  `begin forwarded message|anfang der weitergeleiteten nachricht|début du message réexpédié|début du message transféré|inicio del
  mensaje reenviado|inizio messaggio inoltrato|begin doorgestuurd bericht|início da mensagem reencaminhada|início da mensagem
  encaminhada|vidarebefordrat brev|videresendt meddelelse|videresendt melding|välitetty viesti|początek przekazywanej wiadomości|
  začátek přeposlané zprávy|начало переадресованного сообщения|转发的邮件|轉寄的郵件|転送されたメッセージ|전달된 메시지|iletilen ileti başlangıcı`
    .replaceAll(/\s+/g, ' ')
    .split('|')
    .map(text => text.trim()),
)

const isAnnouncement = (text: string): boolean =>
  isRule(text) ||
  announcements.has(
    text
      .replaceAll(/[:：>*]/g, '')
      .trim()
      .toLowerCase(),
  )

interface Block {
  from: number
  end: number
  sender: MailAddress
  subjects: string[]
}

/** The header block of the forwarded email. In every mail program, the first header with an address is the sender. */
function readBlock(texts: string[], from: number, end: number, isAnnounced: boolean): Block | null {
  const headers = texts.slice(from, end).map(readHeaderLine)
  const values = headers.filter(header => header !== null).map(({ value }) => value)
  if (values.length < (isAnnounced ? 2 : 3) || !values.some(hasDate)) return null
  const sender = values.map(parseAddress).find(address => address !== null)
  return sender ? { from, end, sender, subjects: values } : null
}

/** Lines and characters per line that are searched for a header block. */
const maxSearched = 1000
const maxLine = 1000

function findBlock(lines: QuoteLine[]): Block | null {
  const searched = lines.slice(0, maxSearched)
  const texts = searched.map(({ text }) => text.slice(0, maxLine))
  let isAnnounced = false
  for (let at = 0; at < texts.length; at++) {
    if (texts[at]!.trim() === '') continue
    const end = endOfHeaders(searched, at)
    const block = readBlock(texts, at, end, isAnnounced)
    if (block) return block
    at = Math.max(at, end - 1)
    isAnnounced = isAnnouncement(texts[at]!)
  }
  return null
}

/** The text above the header block, without the line that introduces it. */
function noteAbove(lines: QuoteLine[], { from }: Block): string {
  const texts = lines.slice(0, from).map(({ text }) => text.trim())
  while (texts.length > 0 && (texts.at(-1) === '' || isAnnouncement(texts.at(-1)!))) texts.pop()
  return texts.join('\n').trim()
}

/** The forwarded text, without the `>` that Apple Mail puts before every line. */
function innerText(text: string, lines: QuoteLine[], { from, end }: Block): string {
  const start = text.split('\n', end).reduce((sum, line) => sum + line.length + 1, 0)
  const inner = text.slice(start)
  return (lines[from]!.depth > 0 ? inner.replaceAll(/^> ?/gm, '') : inner).trim()
}

const textBelow = (lines: QuoteLine[], { end }: Block): string =>
  lines
    .slice(end)
    .map(({ text }) => text.trim())
    .join('\n')
    .trim()

/** The subject of the forwarded email: the header value that matches the outer subject without prefixes. */
function innerSubject(outer: string, values: string[]): string {
  const { base } = readSubject(outer)
  return values.find(value => readSubject(value).base === base) ?? stripPrefixes(outer)
}

/** Characters. Longer HTML is not split, and only the beginning of a text is searched, because this does not run in a worker. */
const maxLength = 256 * 1024

function readInline(mail: Mail): Forwarded | null {
  const lines = readTextLines(mail.text.slice(0, maxLength))
  const html = mail.html === null || mail.html.length > maxLength ? null : readHtmlLines(mail.html)
  const block = findBlock(lines)
  const htmlBlock = html && findBlock(html.lines)
  const found = block ?? htmlBlock
  if (!found) return null
  return {
    sender: found.sender,
    subject: innerSubject(mail.headers.subject, found.subjects),
    text: block ? innerText(mail.text, lines, block) : textBelow(html!.lines, htmlBlock!),
    html: html && htmlBlock ? renderLines(html.tokens, line => line >= htmlBlock.end) : null,
    note: block ? noteAbove(lines, block) : noteAbove(html!.lines, htmlBlock!),
  }
}

/** The forwarded email in the attachment or text of another; null if there is none. */
export function readForward(mail: Mail): Forwarded | null {
  const { attached, text } = mail
  if (!attached) return readInline(mail)
  const { from, subject } = attached.headers
  return from && { sender: from, subject, text: attached.text, html: attached.html, note: text.trim() }
}
