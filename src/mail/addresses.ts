import { decodeWords } from './encoded-words.ts'
import type { MailAddress } from './mail.ts'

/** Parses address lists (RFC 5322) and tolerates the mistakes that are common in them. */

/** One entry of a list, split into the text outside angle brackets, the text inside them, and comments. */
interface Entry {
  words: string
  inBrackets: string | null
  comment: string
}

const emptyEntry = (): Entry => ({ words: '', inBrackets: null, comment: '' })

/** Quoted strings, comments and addresses longer than this are not recognised. Without a limit, many unclosed ones would take quadratic time. */
const maxLength = 1_000

/** The index after the closing character of the quoted string or comment that begins at `start`; -1 if it is not closed. */
function endOf(text: string, start: number, open: string, close: string): number {
  if (!text.slice(start + 1, start + maxLength).includes(close)) return -1
  let depth = 1
  for (let at = start + 1; at < Math.min(text.length, start + maxLength); at++) {
    if (text[at] === '\\') at++
    else if (text[at] === close) depth--
    else if (text[at] === open) depth++
    if (depth === 0) return at + 1
  }
  return -1
}

const dropEscapes = (text: string): string => text.replaceAll(/\\(.)/g, '$1')

interface Piece {
  kind: 'quoted' | 'comment' | 'brackets'
  text: string
  end: number
}

/** The quoted string, comment or bracketed address that begins at `at`; null if none does. An unclosed bracket ends at the next comma or at the end of the text. */
function readPiece(text: string, at: number): Piece | null {
  const sign = text[at]
  if (sign === '"') {
    const end = endOf(text, at, '', '"')
    return end < 0 ? null : { kind: 'quoted', text: dropEscapes(text.slice(at + 1, end - 1)), end }
  }
  if (sign === '(') {
    const end = endOf(text, at, '(', ')')
    return end < 0 ? null : { kind: 'comment', text: dropEscapes(text.slice(at + 1, end - 1)), end }
  }
  if (sign !== '<') return null
  const rest = text.slice(at + 1, at + maxLength)
  const closed = rest.indexOf('>') < 0 ? -1 : at + 1 + rest.indexOf('>')
  const next = rest.search(/[,;<]/)
  const stop = at + 1 + (next < 0 ? rest.length : next)
  const isRoute = text[at + 1] === '@'
  if (closed >= 0 && (closed < stop || isRoute))
    return { kind: 'brackets', text: text.slice(at + 1, closed), end: closed + 1 }
  return { kind: 'brackets', text: text.slice(at + 1, stop), end: stop }
}

function add(entry: Entry, { kind, text }: Piece): void {
  if (kind === 'quoted') entry.words += ` ${text.replaceAll(/[<>]/g, ' ')} `
  else if (kind === 'comment') entry.comment += text
  else entry.inBrackets ??= text
}

/** Splits the list at commas and semicolons. Drops group names, which end in a colon. */
function splitEntries(text: string, limit: number): Entry[] {
  const entries: Entry[] = []
  let entry = emptyEntry()
  const close = () => {
    entries.push(entry)
    entry = emptyEntry()
  }
  for (let at = 0; at < text.length && entries.length < limit; ) {
    const piece = readPiece(text, at)
    const sign = text[at]!
    if (piece) add(entry, piece)
    else if (sign === ',' || sign === ';') close()
    else if (sign === ':' && !entry.words.includes('@')) entry = emptyEntry()
    else entry.words += sign
    at = piece ? piece.end : at + 1
  }
  close()
  return entries
}

const mayContain = /[^\s@<>()",;:]/

/** The first bare address in a text, with at most 200 characters before the @ and 255 after it. Takes linear time. */
function findBare(text: string): string | null {
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    let [from, end] = [at, at + 1]
    while (at - from < 200 && mayContain.test(text[from - 1] ?? ' ')) from--
    while (end - at <= 255 && mayContain.test(text[end] ?? ' ')) end++
    if (from < at && end > at + 1) return text.slice(from, end)
  }
  return null
}

/** The normalised address; null if the text is not an address. */
function normalize(text: string): string | null {
  const trimmed = decodeWords(text)
    .replace(/^\s*mailto:/i, '')
    .replaceAll(/[\s"]/g, '')
  const address = trimmed.startsWith('@') ? trimmed.slice(trimmed.indexOf(':') + 1) : trimmed
  const at = address.lastIndexOf('@')
  if (at < 1 || at === address.length - 1 || address.length > 320) return null
  return `${address.slice(0, at)}@${address
    .slice(at + 1)
    .toLowerCase()
    .replace(/\.$/, '')}`
}

const quotes = /^['"“”‘’`\s]{1,5}|['"“”‘’`\s]{1,5}$/g

function nameFrom(words: string): string | null {
  const name = decodeWords(words.replaceAll(/[\s\p{Cc}]+/gu, ' '))
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .replaceAll(quotes, '')
    .trim()
    .slice(0, 255)
  const found = findBare(name)
  const isAddress = found !== null && name.replace(found, '').replaceAll(/[\s'"<>()[\]]/g, '') === ''
  return name === '' || isAddress ? null : name
}

function readEntry({ words, inBrackets, comment }: Entry): MailAddress | null {
  if (inBrackets !== null) {
    const address = normalize(inBrackets)
    if (address) return { address, name: nameFrom(words) ?? nameFrom(comment) }
  }
  const decoded = words.includes('@') ? words : decodeWords(words)
  const found = findBare(decoded)
  const address = found ? normalize(found) : null
  if (!address) return null
  return {
    address,
    name: nameFrom(decoded.replace(found!, ' ').replaceAll(/[<>]/g, ' ')) ?? nameFrom(comment),
  }
}

/**
 * Parses an address list and stops after `limit` entries. An entry without an address is the beginning of the next name, as in
 * `Berger, Ann <ann@…>`.
 */
export function parseAddresses(text: string, limit: number): MailAddress[] {
  const addresses: MailAddress[] = []
  let before = ''
  for (const entry of splitEntries(text, limit)) {
    const address = readEntry({ ...entry, words: before ? `${before}, ${entry.words.trim()}` : entry.words })
    if (address) addresses.push(address)
    before =
      address || entry.words.trim() === ''
        ? ''
        : `${before ? `${before}, ` : ''}${entry.words.trim()}`.slice(-maxLength)
  }
  return addresses
}
