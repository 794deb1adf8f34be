import { createHash } from 'node:crypto'
import { currentTime } from '../../core/time.ts'
import { readHeadOf } from '../../mail/source.ts'
import { type RawMail, readRawMail } from './raw-mail.ts'

/** What the first pass over an archive learns about an email, from its headers and a hash of its text. */
export interface IndexedMail extends RawMail {
  /** The Message-ID and a hash, so that different emails with the same Message-ID have different ids. */
  sourceId: string
  /** Milliseconds since 1970. */
  at: number
}

export interface MailHead {
  mail: IndexedMail
  messageId: string | null
  /** The Message-IDs in `In-Reply-To` and `References`. */
  references: string[]
}

const names = ['message-id', 'in-reply-to', 'references', 'date', 'from', 'subject']
const maxHead = 64 * 1024
const maxId = 180

const carriageReturn = 13
const newline = 10

/** The length without the line breaks at the end. An mbox has an empty line after each email. */
function endOfText(bytes: Buffer): number {
  let end = bytes.length
  while (end > 0 && (bytes[end - 1] === newline || bytes[end - 1] === carriageReturn)) end--
  return end
}

const emptyLine = /\n\r?\n/

/** Returns the head, and a hash of the text that is the same for all kinds of line breaks. */
function readParts(raw: RawMail): { head: Buffer; hash: string } {
  const hash = createHash('sha256')
  const head: Buffer[] = []
  let [size, isBody, breaks] = [0, false, '']
  for (const chunk of readRawMail(raw)) {
    if (size < maxHead) head.push(chunk)
    size += chunk.length
    const begin = isBody ? 0 : chunk.toString('latin1', 0, maxHead).search(emptyLine)
    if (begin < 0) continue
    isBody = true
    const end = Math.max(begin, endOfText(chunk))
    hash.update(breaks).update(withoutReturns(chunk.subarray(begin, end)))
    breaks = chunk.toString('latin1', end).replaceAll('\r', '')
  }
  return { head: Buffer.concat(head).subarray(0, maxHead), hash: hash.digest('hex') }
}

const withoutReturns = (bytes: Buffer): Buffer =>
  bytes.includes(carriageReturn)
    ? Buffer.from(bytes.toString('latin1').replaceAll('\r', ''), 'latin1')
    : bytes

const dayMs = 86_400_000
/** Earlier dates come from computers with a wrong clock. */
const minTime = Date.UTC(1980, 0)

function chooseTime(date: string | null, arrivedAt: number | null): number {
  const times = [date === null ? null : Date.parse(date), arrivedAt]
  const now = currentTime()
  const time = times.find(one => one !== null && one > minTime && one < now + dayMs) ?? now
  return Math.min(time, now)
}

export function indexMail(raw: RawMail): MailHead {
  const { head, hash } = readParts(raw)
  const { headers } = readHeadOf(head, names)
  const { messageId, inReplyTo, references, date, from, subject } = headers
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([from?.address, date, subject, hash]))
    .digest('hex')
  const name = messageId?.slice(0, maxId).toWellFormed()
  return {
    mail: {
      ...raw,
      sourceId: name ? `${name} ${fingerprint.slice(0, 16)}` : fingerprint,
      at: chooseTime(date, raw.arrivedAt),
    },
    messageId,
    references: [...inReplyTo, ...references],
  }
}
