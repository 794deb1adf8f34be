import type { RecipientReport } from './bounce.ts'

/** Parses bounces without a machine-readable report: qmail, Exim, Yahoo, old Exchange versions and others send only text. */

export interface FailureCode {
  /** Enhanced status code; null if there is only an SMTP reply code. */
  status: string | null
  isPermanent: boolean
}

const enhanced = /(?:^|[\s#([:<-])([45]\.\d{1,3}\.\d{1,3})(?!\.?\d)/
const plain = /(?:^|[\s#(:])([45])\d\d(?=[\s:-])/

/** Exim has given up after trying for days: it calls this a permanent error, but the address may be right. */
const expired =
  /\bretry timeout exceeded\b|\bretry time not reached for any host\b|\ball hosts .{0,40}failing for a long time\b/i

/** The first failure code in a text; null if there is none. */
export function findCode(text: string): FailureCode | null {
  const status = enhanced.exec(text)?.[1]
  if (status) return { status, isPermanent: status.startsWith('5') }
  const digit = plain.exec(text)?.[1]
  if (digit) return { status: null, isPermanent: digit === '5' }
  return expired.test(text) ? { status: '4.4.7', isPermanent: false } : null
}

export const maxSearched = 16 * 1024
/** More recipients than a bounce without a report has. Each is looked for in the whole text. */
export const maxRecipients = 100
const maxHeaderLines = 40

const header = /^[\w-]+:/
/** Headers that people do not type. */
const technical = /^(?:received|return-path|message-id|mime-version|dkim-signature|content-type):/i

function isHeaderBlock(lines: string[], at: number): boolean {
  if (!header.test(lines[at]!) || !/^[\w-]+:|^\s+\S/.test(lines[at + 1] ?? '')) return false
  const block = lines.slice(at, at + maxHeaderLines)
  const end = block.findIndex(line => line.trim() === '')
  return block.slice(0, end < 0 ? undefined : end).some(line => technical.test(line))
}

/** Separates the server's explanation from the returned email below it, which begins with a header block. */
export function cutReturned(text: string): { said: string; returned: string } {
  const lines = text.slice(0, maxSearched).split('\n')
  const bare = lines.map(line => line.replace(/^[> ]+/, ''))
  const at = bare.findIndex((_, index) => isHeaderBlock(bare, index))
  if (at < 0) return { said: lines.join('\n'), returned: '' }
  return { said: lines.slice(0, at).join('\n'), returned: bare.slice(at).join('\n') }
}

const between = /[\s<>"'()[\]:;,=]+/

function isAddress(word: string): boolean {
  const at = word.indexOf('@')
  return at > 0 && word.indexOf('@', at + 1) < 0 && word.indexOf('.', at + 2) > 0
}

const addressesIn = (line: string): string[] =>
  line
    .split(between)
    .map(word => (word.endsWith('.') ? word.slice(0, -1) : word))
    .filter(isAddress)

interface Line {
  text: string
  addresses: string[]
}

const maxWordLines = 6

const shorten = (lines: string[]): string => lines.join(' ').replaceAll(/\s+/g, ' ').trim().slice(0, 500)

/** The text about the recipient, from the line that contains the address up to the next recipient. */
function wordsAt(lines: Line[], at: number, recipient: string, others: string[]): string[] {
  const below = lines.slice(at + 1, at + 1 + maxWordLines)
  const next = below.findIndex(({ addresses }) =>
    addresses.some(one => one !== recipient && others.includes(one)),
  )
  const texts = (next < 0 ? below : below.slice(0, next)).map(({ text }) => text)
  const words = [lines[at]!.text.replace(recipient, ''), ...texts]
  return words.map(line => line.replaceAll(/^[\s<>:-]+/g, '')).filter(line => line !== '')
}

const delayed =
  /\b(?:delayed|not yet been delivered|will be retried|will (?:continue|keep) trying|delivery attempts will continue)\b/i

function readOne(
  lines: Line[],
  recipient: string,
  others: string[],
  isNamed: boolean,
): RecipientReport | null {
  const matches = lines.flatMap(({ addresses }, at) => (addresses.includes(recipient) ? [at] : []))
  const found = matches.map(at => wordsAt(lines, at, recipient, others))
  const words = found.find(one => findCode(one.join(' '))) ?? found[0] ?? []
  const code = findCode(words.join(' '))
  if (!code && !isNamed) return null
  // Servers that give no code, such as older Exim versions, send a bounce only after giving up.
  const isPermanent = code ? code.isPermanent : true
  if (!code?.isPermanent && lines.some(({ text }) => delayed.test(text)))
    return {
      recipient,
      outcome: 'delayed',
      status: code?.status ?? null,
      isPermanent: false,
      words: shorten(words),
    }
  return { recipient, outcome: 'failed', status: code?.status ?? null, isPermanent, words: shorten(words) }
}

const isServer = (address: string): boolean => /^(?:mailer-daemon|postmaster)@/i.test(address)

/** Whether an address is alone on its line, as in `<ann@example.com>:`. Servers list recipients this way. */
const isAlone = (line: string, address: string): boolean =>
  line.replace(address, '').replaceAll(/[\s<>:]/g, '') === ''

/** Reads recipients and outcomes from text. `failed` contains recipients from a header, `own` addresses that cannot be recipients. */
export function readFreeText(text: string, failed: string[], own: string[]): RecipientReport[] {
  const lines = cutReturned(text)
    .said.split('\n')
    .map(line => ({ text: line, addresses: addressesIn(line) }))
  const skipped = new Set(own.map(one => one.toLowerCase()))
  const named = new Set(failed)
  for (const line of lines) {
    const [only, ...more] = line.addresses
    if (only && more.length === 0 && isAlone(line.text, only)) named.add(only)
  }
  const all = [...new Set([...named, ...lines.flatMap(({ addresses }) => addresses)])].filter(
    one => !skipped.has(one.toLowerCase()) && !isServer(one),
  )
  const recipients = failed.length > 0 ? all.filter(one => failed.includes(one)) : all
  return recipients
    .slice(0, maxRecipients)
    .map(one => readOne(lines, one, recipients, named.has(one)))
    .filter(delivery => delivery !== null)
}
