import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { decodeText } from './charset.ts'
import { cleanTexts } from './clean.ts'
import { buildHeaders, type HeaderLine } from './headers.ts'
import { mailLimits } from './limits.ts'
import type { Mail, MailHeaders } from './mail.ts'

/** The last reader, which shows the headers and the source as text. It does not need a worker, because its work is bounded. */

const maxShown = 256 * 1024
/** Up to this size, even malicious headers are parsed in less than 50 ms. */
const headShown = 32 * 1024

function readBeginning(path: string, length: number): Buffer {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(length)
    return bytes.subarray(0, readSync(file, bytes, 0, length, 0))
  } finally {
    closeSync(file)
  }
}

function splitLines(head: string): HeaderLine[] {
  const lines: HeaderLine[] = []
  for (const line of head.split('\n')) {
    if (line.trim() === '') break
    const last = lines.at(-1)
    if (/^[ \t]/.test(line) && last) last.line += `\n${line}`
    else
      lines.push({
        key: line
          .slice(0, Math.max(0, line.indexOf(':')))
          .trim()
          .toLowerCase(),
        line,
      })
  }
  return lines
}

/** Parses the headers at the beginning of an email. `names`, in lower case, limits them to these headers. */
export function readHeadOf(
  beginning: Buffer,
  names?: readonly string[],
): { headers: MailHeaders; truncated: string[] } {
  const lines = splitLines(beginning.toString('latin1').replaceAll('\r', ''))
  return buildHeaders(names ? lines.filter(({ key }) => names.includes(key)) : lines, null)
}

/** Parses the headers in the first `length` bytes of the source. */
export const readSourceHead = (path: string, length = mailLimits.headerBytes) =>
  readHeadOf(readBeginning(path, length))

/** The email with its source as text, up to 256 KiB. */
export function readSource(path: string): Mail {
  const { headers, truncated } = readSourceHead(path, headShown)
  const { text, charset } = decodeText(readBeginning(path, maxShown), { declared: null })
  return cleanTexts<Mail>({
    headers,
    text: text.replaceAll(/\r\n?/g, '\n'),
    html: null,
    charset,
    files: [],
    reports: [],
    invitation: null,
    encrypted: null,
    signature: null,
    attached: null,
    reader: 'source',
    truncated: [...truncated, ...(statSync(path).size > maxShown ? ['text'] : []), 'mail'],
  })
}
