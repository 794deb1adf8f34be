import { isUtf8 } from 'node:buffer'
import type Iconv from 'iconv-lite'
import { lazyRequire } from '../core/async/lazy-require.ts'

/** Detects the charset of a text and decodes it. Charset names are the WHATWG names in lower case, and `utf-7`. */

const iconv = lazyRequire<typeof Iconv>('iconv-lite')

export interface DecodedText {
  text: string
  charset: string
}

export interface CharsetHints {
  /** From Content-Type; null if it has none. */
  declared: string | null
  /** From a `meta` element in the HTML. */
  meta?: string | null
  /** From another text part of the same email. */
  neighbour?: string | null
}

/** Labels that WHATWG does not know. */
const otherLabels: Record<string, string> = {
  cp932: 'shift_jis',
  'windows-932': 'shift_jis',
  cp936: 'gb18030',
  cp949: 'euc-kr',
  cp950: 'big5',
  cp874: 'windows-874',
  cp50220: 'iso-2022-jp',
  cp50221: 'iso-2022-jp',
  'iso-2022-jp-ms': 'iso-2022-jp',
  'iso-2022-jp-1': 'iso-2022-jp',
  'iso-2022-jp-2': 'iso-2022-jp',
  'iso-2022-jp-3': 'iso-2022-jp',
  utf8mb4: 'utf-8',
  utf: 'utf-8',
  'latin-1': 'windows-1252',
  cp65001: 'utf-8',
}

/** Encodings that TextDecoder rejects for security reasons. */
const unsupportedEncodings = new Set(['utf-7', 'iso-2022-kr', 'hz-gb-2312'])
const ascii = /^(?:us-?ascii|ascii|ansi_x3\.4-19\d\d|7bit|8bit|unknown-8bit|x-unknown|unknown|default|none)$/

/** The charset name; null if the label is unknown or means ASCII, which does not determine how to decode other bytes. */
export function findCharset(label: string | null | undefined): string | null {
  const name = label?.trim().toLowerCase().replaceAll(/['"]/g, '') ?? ''
  if (name === '' || ascii.test(name)) return null
  if (name === 'utf7' || name === 'unicode-1-1-utf-7') return 'utf-7'
  if (unsupportedEncodings.has(name)) return name
  const labels = [otherLabels[name] ?? name, name.replaceAll('_', '-'), name.replaceAll('-', '_')]
  const encoding = labels.map(encodingOf).find(found => found !== null)
  if (encoding) return encoding === 'gbk' ? 'gb18030' : encoding
  return iconv().encodingExists(name) && !/^(?:base64|hex|binary|ucs2?)$/.test(name) ? name : null
}

const maxCached = 200
const cachedEncodings = new Map<string, string | null>()

/** The name that TextDecoder uses for the charset; null for an unknown label. Cached, because a rejected label takes as long as parsing a short email. */
function encodingOf(name: string): string | null {
  const known = cachedEncodings.get(name)
  if (known !== undefined) return known
  let encoding: string | null = null
  try {
    encoding = new TextDecoder(name).encoding
  } catch {}
  if (cachedEncodings.size < maxCached) cachedEncodings.set(name, encoding)
  return encoding
}

/** Sets the high bit of the two-byte characters between escape sequences: converts ISO-2022-KR to EUC-KR, and HZ to GB2312. */
function raiseBits(bytes: Uint8Array, start: number[], end: number[], dropped: number[][]): Uint8Array {
  const raised = new Uint8Array(bytes.length)
  const startsWith = (at: number, mark: number[]) => mark.every((byte, i) => bytes[at + i] === byte)
  let length = 0
  let isRaised = false
  for (let at = 0; at < bytes.length; ) {
    const mark = [start, end, ...dropped].find(one => startsWith(at, one))
    if (mark) {
      isRaised = mark === start || (isRaised && mark !== end)
      at += mark.length
    } else raised[length++] = bytes[at++]! | (isRaised && bytes[at - 1]! > 0x20 ? 0x80 : 0)
  }
  return raised.subarray(0, length)
}

/** Node.js decodes the first two without the Windows and Hong Kong extensions that WHATWG requires, and does not decode UTF-7. */
const iconvNames: Record<string, string> = { 'euc-kr': 'cp949', big5: 'big5-hkscs', 'utf-7': 'utf-7' }

/** Decodes bytes and removes a byte order mark. Invalid bytes become U+FFFD. */
export function decodeBytes(bytes: Uint8Array, charset: string): string {
  if (charset === 'iso-2022-kr')
    return decodeBytes(raiseBits(bytes, [0x0e], [0x0f], [[0x1b, 0x24, 0x29, 0x43]]), 'euc-kr')
  if (charset === 'hz-gb-2312')
    return decodeBytes(raiseBits(bytes, [0x7e, 0x7b], [0x7e, 0x7d], [[0x7e, 0x0a]]), 'gb18030')
  const inIconv = iconvNames[charset] ?? (encodingOf(charset) === null ? charset : null)
  if (inIconv) return iconv().decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), inIconv)
  return new TextDecoder(charset).decode(bytes)
}

function findMark(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe)
    return bytes[2] === 0 && bytes[3] === 0 ? 'utf-32le' : 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return null
}

const isAscii = (bytes: Uint8Array): boolean => bytes.every(byte => byte < 0x80)

/** Whether most non-ASCII characters are well-formed UTF-8: a text with one damaged byte is still UTF-8. */
function isMostlyUtf8(text: string): boolean {
  let whole = 0
  let broken = 0
  for (const char of text) {
    if (char === '\uFFFD') broken++
    else if (char > '\x7F') whole++
  }
  return whole >= broken
}

/** Whether a binary string contains the escape sequence for two-byte Japanese characters. */
export const hasJapaneseEscape = (binary: string): boolean =>
  binary.includes('\x1b$B') || binary.includes('\x1b$@')

function guess(bytes: Uint8Array, neighbour: string | null): DecodedText {
  if (isUtf8(bytes)) {
    const latin = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
    const charset = hasJapaneseEscape(latin) ? 'iso-2022-jp' : 'utf-8'
    return { text: decodeBytes(bytes, charset), charset }
  }
  if (neighbour && neighbour !== 'utf-8') {
    const text = decodeBytes(bytes, neighbour)
    if (!text.includes('\uFFFD')) return { text, charset: neighbour }
  }
  const text = decodeBytes(bytes, 'utf-8')
  const isUtf = text.length > 3 && isMostlyUtf8(text)
  return isUtf
    ? { text, charset: 'utf-8' }
    : { text: decodeBytes(bytes, 'windows-1252'), charset: 'windows-1252' }
}

/** The byte order of UTF-16 without a byte order mark. In most scripts the high bytes of many characters are zero. */
function findOrder(bytes: Uint8Array): string {
  let even = 0
  let odd = 0
  for (let at = 0; at < Math.min(bytes.length, 2_000); at++) if (bytes[at] === 0) at % 2 ? odd++ : even++
  return even > odd ? 'utf-16be' : 'utf-16le'
}

/**
 * Decodes a text. The charset comes from the byte order mark, the declaration or the `meta` element. Without any of these, the
 * text is decoded as UTF-8 if it is valid, in the charset of a neighbour, or as windows-1252. Two wrong declarations are
 * corrected: windows-1252 when the text is valid UTF-8, and UTF-8 when most non-ASCII characters are invalid.
 */
export function decodeText(bytes: Uint8Array, { declared, meta, neighbour }: CharsetHints): DecodedText {
  const mark = findMark(bytes)
  if (mark) return { text: decodeBytes(bytes, mark).replace(/^\uFEFF/, ''), charset: mark }
  let charset = findCharset(declared) ?? findCharset(meta)
  if (charset === 'utf-16le' && declared?.trim().toLowerCase() === 'utf-16') charset = findOrder(bytes)
  const other = findCharset(neighbour)
  if (charset === null) return guess(bytes, other)
  if (charset === 'windows-1252' && !isAscii(bytes) && isUtf8(bytes)) charset = 'utf-8'
  const text = decodeBytes(bytes, charset)
  return charset === 'utf-8' && !isUtf8(bytes) && !isMostlyUtf8(text)
    ? guess(bytes, other)
    : { text, charset }
}

/** The charset that HTML declares in its first 4 KiB; null if it declares none. */
export function findMetaCharset(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 4_096)).toString('latin1')
  for (const [tag] of head.matchAll(/<meta [^<>]*>/gi)) {
    const [, label] = /\bcharset=["' ]?([\w:.-]+)/i.exec(tag) ?? []
    const charset = findCharset(label)
    if (charset) return charset.startsWith('utf-16') ? 'utf-8' : charset
  }
  return null
}
