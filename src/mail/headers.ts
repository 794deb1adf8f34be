import { parseAddresses } from './addresses.ts'
import { parseDate } from './dates.ts'
import { decodeRaw, decodeWords, unfold } from './encoded-words.ts'
import { mailLimits } from './limits.ts'
import type { HeaderField, MailAddress, MailHeaders } from './mail.ts'

/** A raw header line: still folded, one character for each byte. */
export interface HeaderLine {
  /** In lower case. */
  key: string
  /** Includes the name and the colon. */
  line: string
}

/** Unfolded headers by name, in order. Raw bytes are decoded, encoded words are not. */
export type RawHeaders = Map<string, string[]>

interface ReadHeaders {
  raw: RawHeaders
  list: HeaderField[]
  /** Whether the size limit was exceeded. */
  isCut: boolean
}

/** Reads header lines up to the size limit. */
export function readLines(lines: HeaderLine[], charset: string | null): ReadHeaders {
  const raw: RawHeaders = new Map()
  const list: HeaderField[] = []
  let size = 0
  for (const { key, line } of lines) {
    const available = mailLimits.headerBytes - size
    if (available <= 0) break
    size += line.length
    const colon = line.indexOf(':')
    const text = decodeRaw(unfold(line.slice(colon + 1, colon + 1 + available)), charset).trim()
    if (!/^[!-9;-~]{1,200}$/.test(key)) continue
    const texts = raw.get(key)
    if (texts) texts.push(text)
    else raw.set(key, [text])
    list.push({ name: line.slice(0, colon).trim(), value: onOneLine(decodeWords(text)) })
  }
  return { raw, list, isCut: size > mailLimits.headerBytes }
}

const firstOf = (raw: RawHeaders, key: string): string => raw.get(key)?.[0] ?? ''

const onOneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()

/** Message-IDs without angle brackets. Some mail programs fold the IDs or omit the brackets. */
function listIds(text: string): string[] {
  const bracketed = [...text.matchAll(/<([^<>]{1,1000})>/g)].map(([, id]) => id!)
  const ids = bracketed.length ? bracketed : text.split(/[\s,<>]+/).filter(id => id.includes('@'))
  return ids.map(id => id.replaceAll(/[\s\p{Cc}]+/gu, '')).filter(id => id !== '')
}

/** Keeps the first and the last IDs if there are too many: ours is most likely among them. */
function limitIds(ids: string[]): string[] {
  const half = mailLimits.references / 2
  return ids.length <= mailLimits.references ? ids : [...ids.slice(0, half), ...ids.slice(-half)]
}

function threadIndexOf(text: string): string | null {
  const bytes = Buffer.from(text.slice(0, 4_096).replaceAll(/[^\w+/=]+/g, ''), 'base64')
  return bytes.length >= 22 ? bytes.toString('hex') : null
}

const deliveryHeaders = ['delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to']

/** Parses address headers, with one limit for all of them. */
class AddressReader {
  left = mailLimits.addresses
  isCut = false
  readonly raw: RawHeaders

  constructor(raw: RawHeaders) {
    this.raw = raw
  }

  list(key: string): MailAddress[] {
    const found = (this.raw.get(key) ?? []).flatMap(text => parseAddresses(text, this.left + 1))
    this.isCut ||= found.length > this.left
    const kept = found.slice(0, this.left)
    this.left -= kept.length
    return kept
  }
}

const byName = (list: HeaderField[]): Record<string, string[]> =>
  Object.fromEntries(
    [...Map.groupBy(list, ({ name }) => name.toLowerCase())].map(([name, fields]) => [
      name,
      fields.map(({ value }) => value),
    ]),
  )

function returnPathOf(raw: RawHeaders): string | null {
  const text = raw.get('return-path')?.[0]
  if (text === undefined) return null
  return parseAddresses(text, 1)[0]?.address ?? ''
}

/** Builds the headers of an email. `charset` is for raw bytes that are not UTF-8. */
export function buildHeaders(
  lines: HeaderLine[],
  charset: string | null,
): { headers: MailHeaders; truncated: string[] } {
  const { raw, list, isCut } = readLines(lines, charset)
  const addresses = new AddressReader(raw)
  const references = (raw.get('references') ?? []).flatMap(listIds)
  const headers = {
    messageId:
      listIds(firstOf(raw, 'message-id'))[0] ??
      (onOneLine(firstOf(raw, 'message-id')).slice(0, 1_000) || null),
    inReplyTo: limitIds((raw.get('in-reply-to') ?? []).flatMap(listIds)),
    references: limitIds(references),
    threadIndex: threadIndexOf(firstOf(raw, 'thread-index')),
    date: parseDate(firstOf(raw, 'date')),
    subject: onOneLine(decodeWords(firstOf(raw, 'subject'))),
    from: addresses.list('from')[0] ?? null,
    sender: addresses.list('sender')[0] ?? null,
    replyTo: addresses.list('reply-to'),
    to: addresses.list('to'),
    cc: addresses.list('cc'),
    deliveredTo: [
      ...new Set(deliveryHeaders.flatMap(key => addresses.list(key).map(({ address }) => address))),
    ],
    returnPath: returnPathOf(raw),
    all: byName(list),
    list,
  }
  const truncated = [
    isCut && 'headers',
    addresses.isCut && 'addresses',
    references.length > mailLimits.references && 'references',
  ]
  return { headers, truncated: truncated.filter(name => name !== false) }
}
