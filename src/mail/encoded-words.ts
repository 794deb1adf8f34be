import { isUtf8 } from 'node:buffer'
import { decodeBytes, findCharset, hasJapaneseEscape } from './charset.ts'

/** Decodes header text: raw 8-bit bytes and encoded words (RFC 2047). */

/** Decodes the raw bytes of a header, given as a binary string: as UTF-8 if valid, otherwise in the given charset or windows-1252. */
export function decodeRaw(raw: string, charset: string | null): string {
  const binary = raw.replaceAll('\0', '')
  if (hasJapaneseEscape(binary)) return decodeBytes(Buffer.from(binary, 'latin1'), 'iso-2022-jp')
  if (!/[\x80-\xff]/.test(binary)) return binary
  const bytes = Buffer.from(binary, 'latin1')
  if (isUtf8(bytes)) return bytes.toString('utf8')
  return decodeBytes(bytes, charset && charset !== 'utf-8' ? charset : 'windows-1252')
}

export const unfold = (text: string): string => text.replaceAll(/\r?\n/g, '')

interface Word {
  charset: string
  encoding: string
  text: string
}

function decodeQ(text: string): Buffer {
  const bytes: number[] = []
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    const hex = char === '=' ? text.slice(at + 1, at + 3) : ''
    if (/^[\da-f]{2}$/i.test(hex)) {
      bytes.push(Number.parseInt(hex, 16))
      at += 2
    } else if (char === '_') bytes.push(0x20)
    else bytes.push(...Buffer.from(char))
  }
  return Buffer.from(bytes)
}

/** Joins base64 words that were split inside a group of four characters. */
function joinBase64(words: Word[]): Word[] {
  const joined: Word[] = []
  for (const word of words) {
    const last = joined.at(-1)
    const continues = last?.encoding === 'b' && word.encoding === 'b' && last.charset === word.charset
    if (continues && last.text.length % 4 && !last.text.endsWith('=')) last.text += word.text
    else joined.push({ ...word })
  }
  return joined
}

/** Decodes adjacent words. Words with the same charset are decoded together, because a character may be split between them. */
function decodeRun(words: Word[]): string {
  let text = ''
  let bytes: Buffer[] = []
  const joined = joinBase64(words)
  for (const [at, { charset, encoding, text: encoded }] of joined.entries()) {
    bytes.push(encoding === 'b' ? Buffer.from(encoded, 'base64') : decodeQ(encoded))
    if (joined[at + 1]?.charset === charset) continue
    const all = Buffer.concat(bytes)
    const known = findCharset(charset)
    text += decodeBytes(
      all,
      known && (known !== 'windows-1252' || !isUtf8(all)) ? known : isUtf8(all) ? 'utf-8' : 'windows-1252',
    )
    bytes = []
  }
  return text
}

const word = /=\?([\w:.+'-]{1,60})(?:\*[\w-]{1,20})?\?([bq])\?([^?]*)\?=/gi

/** Decodes the encoded words of an unfolded header and removes whitespace between adjacent ones. */
export function decodeWords(text: string): string {
  if (!text.includes('=?')) return text
  let decoded = ''
  let end = 0
  let run: Word[] = []
  for (const { 0: found, 1: charset, 2: encoding, 3: encoded, index } of text.matchAll(word)) {
    const between = text.slice(end, index)
    if (run.length && between.trim() !== '') {
      decoded += decodeRun(run)
      run = []
    }
    if (!run.length) decoded += between
    run.push({ charset: charset!.toLowerCase(), encoding: encoding!.toLowerCase(), text: encoded! })
    end = index + found.length
  }
  return decoded + decodeRun(run) + text.slice(end)
}
