import { closeSync, openSync, readSync } from 'node:fs'
import { UserError } from '../../core/user-error.ts'
import { orUserError } from '../mail/open-archive.ts'
import type { RawMail } from '../mail/raw-mail.ts'

/**
 * Finds the emails in an mbox of any size and variant (mboxo, mboxrd, mboxcl; LF or CRLF). Content-Length is ignored, because programs
 * that change an email rarely correct it.
 */

const chunkBytes = 1024 * 1024
/** How many bytes of a line `From …` and the line after it are examined. */
const examinedBytes = 2_048

/** Such as `From ann@example.com Mon Jan  5 10:00:00 2026`. */
const dated = /^From .*\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b.{1,20}?\d{1,2}:\d{2}.*\d{4}/
const header = /^(?:>?From |[!-9;-~]{1,100}:)/

const newline = 10
const carriageReturn = 13

const hasBlankBefore = (bytes: Buffer, at: number): boolean =>
  bytes[at - 2] === newline || (bytes[at - 2] === carriageReturn && bytes[at - 3] === newline)

/** Text can contain unescaped lines that begin with `From `, so a separator needs two of three signs. */
function isSeparator(bytes: Buffer, at: number): boolean {
  const [line = '', next = ''] = bytes.toString('latin1', at, at + examinedBytes).split(/\r?\n/, 2)
  const signs = [hasBlankBefore(bytes, at), dated.test(line), header.test(next)]
  return signs.filter(Boolean).length >= 2
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const time = /\b([A-Z][a-z]{2}) +(\d{1,2}) +(\d{1,2}):(\d{2})(?::(\d{2}))?\b(?:.*\b((?:19|20)\d{2})\b)/

/** The time in a line `From …`, as UTC; null if it has none. */
function readTime(line: string): number | null {
  const [, month = '', day, hour, minute, second = '0', year] = time.exec(line) ?? []
  const index = months.indexOf(month)
  if (index < 0) return null
  return Date.UTC(Number(year), index, Number(day), Number(hour), Number(minute), Number(second))
}

interface Separator {
  /** Offset of `From `. */
  at: number
  /** Offset after the line. */
  end: number
  time: number | null
}

function readSeparator(bytes: Buffer, at: number, base: number): Separator {
  const line = bytes.indexOf(newline, at)
  const end = line < 0 ? bytes.length : line + 1
  return { at: base + at, end: base + end, time: readTime(bytes.toString('latin1', at, end)) }
}

/** Inserted before the first byte, so that the first line is recognised like the others. */
const before = Buffer.from('\n\n')

function* findSeparators(file: number): Generator<Separator> {
  let bytes = before
  let base = -before.length
  for (let isEnd = false, searched = 0; !isEnd; ) {
    const chunk = Buffer.allocUnsafe(chunkBytes)
    const read = readSync(file, chunk, 0, chunkBytes, base + bytes.length)
    isEnd = read === 0
    bytes = Buffer.concat([bytes, chunk.subarray(0, read)])
    const limit = isEnd ? bytes.length : bytes.length - examinedBytes
    for (
      let at = bytes.indexOf('\nFrom ', searched);
      at >= 0 && at < limit;
      at = bytes.indexOf('\nFrom ', searched)
    ) {
      if (isSeparator(bytes, at + 1)) yield readSeparator(bytes, at + 1, base)
      searched = at + 1
    }
    // The bytes before the next line show whether it follows an empty line.
    const dropped = Math.max(0, Math.max(searched, limit) - 3)
    searched = Math.max(searched, limit) - dropped
    base += dropped
    bytes = bytes.subarray(dropped)
  }
}

const isBlank = (file: number, end: number): boolean => {
  const bytes = Buffer.alloc(Math.min(end, examinedBytes))
  readSync(file, bytes, 0, bytes.length, 0)
  return bytes.toString('latin1').replace('\xef\xbb\xbf', '').trim() === ''
}

function* scanFile(file: number, path: string): Generator<RawMail> {
  let last: Separator | null = null
  const mailUntil = (end: number): RawMail[] =>
    last ? [{ path, start: last.end, end, isWholeFile: false, isEscaped: true, arrivedAt: last.time }] : []
  for (const separator of findSeparators(file)) {
    if (!last && !isBlank(file, separator.at)) break
    yield* mailUntil(separator.at)
    last = separator
  }
  if (!last)
    throw new UserError(
      `${path} is not an mbox: it does not begin with a line "From …". Export the emails in the mbox format`,
    )
  yield* mailUntil(Number.MAX_SAFE_INTEGER)
}

export function* scanMbox(path: string): Generator<RawMail> {
  const file = orUserError(path, () => openSync(path, 'r'))
  try {
    yield* scanFile(file, path)
  } finally {
    closeSync(file)
  }
}
