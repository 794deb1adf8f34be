import { closeSync, openSync, readSync } from 'node:fs'

/** An email in an archive: a part of a file. Reads are synchronous, because the import is all that this process does. */
export interface RawMail {
  path: string
  /** Offset of its first byte. */
  start: number
  /** Offset after its last byte; may be beyond the end of the file. */
  end: number
  /** Whether the file contains only this email. */
  isWholeFile: boolean
  /** Whether lines that begin with `From ` have a `>` before them, as in an mbox. */
  isEscaped: boolean
  /** When it was delivered, in milliseconds; null if the archive does not say. */
  arrivedAt: number | null
}

const chunkBytes = 64 * 1024

function* readRange(path: string, start: number, end: number): Generator<Buffer> {
  const file = openSync(path, 'r')
  try {
    for (let at = start; at < end; ) {
      const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, end - at))
      const read = readSync(file, chunk, 0, chunk.length, at)
      if (read === 0) return
      at += read
      yield chunk.subarray(0, read)
    }
  } finally {
    closeSync(file)
  }
}

const newline = 10
const escaped = /^>(>*From )/gm
const mayBeEscaped = /^>+(?:F(?:r(?:o(?:m)?)?)?)?$/

/** Removes one `>` from lines such as `>From ` and `>>From `. An incomplete line that may be escaped is kept for the next chunk. */
function* removeEscapes(chunks: Iterable<Buffer>): Generator<Buffer> {
  let rest = ''
  let isLineStart = true
  for (const chunk of chunks) {
    if (rest === '' && chunk.at(-1) === newline && !chunk.includes('>From ')) {
      isLineStart = true
      yield chunk
      continue
    }
    const text = rest + chunk.toString('latin1')
    const lineStart = text.lastIndexOf('\n') + 1
    const tail = lineStart > 0 || isLineStart ? text.slice(lineStart) : ''
    rest = mayBeEscaped.test(tail) ? tail : ''
    const whole = text.slice(0, text.length - rest.length)
    // `^` also matches at the beginning of the text, which may be inside a line.
    const kept = isLineStart ? 0 : whole.indexOf('\n') + 1 || whole.length
    yield Buffer.from(whole.slice(0, kept) + whole.slice(kept).replaceAll(escaped, '$1'), 'latin1')
    isLineStart = whole === '' ? isLineStart : whole.endsWith('\n')
  }
  if (rest !== '') yield Buffer.from(rest, 'latin1')
}

/** The bytes of an email as it was received. */
export const readRawMail = ({ path, start, end, isEscaped }: RawMail): Iterable<Buffer> =>
  isEscaped ? removeEscapes(readRange(path, start, end)) : readRange(path, start, end)
