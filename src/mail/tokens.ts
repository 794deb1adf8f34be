import { createHmac } from 'node:crypto'
import { isSame } from '../core/crypto.ts'

/**
 * Tokens in addresses and Message-IDs that connect replies with their tickets. Each contains the ID of a ticket or message and an
 * 80-bit MAC, in lower-case base32: relays change the case of addresses and IDs, and a local part has at most 64 characters.
 */

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'
const macBytes = 10
const idBytes = 16
const maxLocalPart = 64

function encode(bytes: Buffer): string {
  let bits = BigInt(`0x${bytes.toString('hex')}`)
  const length = Math.ceil((bytes.length * 8) / 5)
  bits <<= BigInt(length * 5 - bytes.length * 8)
  const digits = Array.from({ length }, (_, at) => Number((bits >> BigInt((length - 1 - at) * 5)) & 31n))
  return digits.map(digit => alphabet[digit]!).join('')
}

function decode(text: string, bytes: number): Buffer | null {
  const digits = [...text.toLowerCase()].map(letter => alphabet.indexOf(letter))
  if (digits.length !== Math.ceil((bytes * 8) / 5) || digits.includes(-1)) return null
  const bits = digits.reduce((sum, digit) => (sum << 5n) | BigInt(digit), 0n)
  const hex = (bits >> BigInt(digits.length * 5 - bytes * 8)).toString(16).padStart(bytes * 2, '0')
  const decoded = Buffer.from(hex, 'hex')
  // The last letter has unused bits. Only the canonical spelling is accepted.
  return encode(decoded) === text.toLowerCase() ? decoded : null
}

/**
 * `r`: reply address of a ticket; `n`: reply address of a notice to an operator; `b`: return path of a message; `m`: Message-ID;
 * `t`: ID of a ticket in References; `q` and `p`: test emails of a mailbox, to its address and to a plus address.
 */
type Kind = 'r' | 'n' | 'b' | 'm' | 't' | 'q' | 'p'

const macOf = (key: Buffer, kind: Kind, id: Buffer): Buffer =>
  createHmac('sha256', key).update(`mail ${kind} `).update(id).digest().subarray(0, macBytes)

function makeToken(key: Buffer, kind: Kind, id: string): string {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex')
  return `${kind}.${encode(bytes)}.${encode(macOf(key, kind, bytes))}`
}

const dashes = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/

/** The UUID in a token of this kind; null if the token was not made with this key. */
function readToken(key: Buffer, kind: Kind, token: string): string | null {
  const [name, idText, macText, ...rest] = token.split('.')
  if (name?.toLowerCase() !== kind || rest.length > 0) return null
  const id = decode(idText ?? '', idBytes)
  const mac = decode(macText ?? '', macBytes)
  if (!id || !mac || !isSame(mac, macOf(key, kind, id))) return null
  return id.toString('hex').replace(dashes, '$1-$2-$3-$4-$5')
}

const splitAt = (text: string): [string, string] => {
  const at = text.lastIndexOf('@')
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

function addToken(address: string, token: string): string | null {
  const [local, domain] = splitAt(address)
  const extended = `${local}+${token}`
  return extended.length > maxLocalPart ? null : `${extended}@${domain}`
}

/** The text between the last + and the @. Relays may add prefixes to addresses. */
const tagOf = (address: string): string => {
  const [local] = splitAt(address)
  return local.includes('+') ? local.slice(local.lastIndexOf('+') + 1) : ''
}

/** The reply address of a ticket; null if it would be too long. */
export const makeReplyAddress = (key: Buffer, address: string, ticketId: string): string | null =>
  addToken(address, makeToken(key, 'r', ticketId))

/** The ticket ID in a reply address; null if it has no token made with this key. */
export const readReplyAddress = (key: Buffer, address: string): string | null =>
  readToken(key, 'r', tagOf(address))

/** The reply address of a notice to an operator; null if it would be too long. */
export const makeNoticeAddress = (key: Buffer, address: string, emailId: string): string | null =>
  addToken(address, makeToken(key, 'n', emailId))

/** The ID of the notice in a reply address; null if the address has no valid token. */
export const readNoticeAddress = (key: Buffer, address: string): string | null =>
  readToken(key, 'n', tagOf(address))

/** Removes the tokens of notices from reply addresses in a text, also from encoded ones in links. */
export const removeNoticeTokens = (text: string): string =>
  text.replaceAll(/(?:\+|%2b)n\.[a-z2-7]{26}\.[a-z2-7]{16}(?=@|%40)/gi, '')

/** The return path of a message, for bounces; null if it would be too long. */
export const makeReturnPath = (key: Buffer, address: string, messageId: string): string | null =>
  addToken(address, makeToken(key, 'b', messageId))

/** The message ID in a return path; null if it has no token made with this key. */
export const readReturnPath = (key: Buffer, address: string): string | null =>
  readToken(key, 'b', tagOf(address))

/** The Message-ID of an outgoing email, without angle brackets. */
export const makeMessageId = (key: Buffer, messageId: string, domain: string): string =>
  `${makeToken(key, 'm', messageId)}@${domain}`

/** An ID for References that identifies the ticket, without angle brackets. Relays change Message-IDs but keep References. */
export const makeAnchor = (key: Buffer, ticketId: string, domain: string): string =>
  `${makeToken(key, 't', ticketId)}@${domain}`

export interface OwnId {
  kind: 'message' | 'ticket'
  /** ID of the message or ticket. */
  id: string
}

/** The message or ticket that an ID without angle brackets identifies; null if the ID was not made with this key. */
export function readOwnId(key: Buffer, mailId: string): OwnId | null {
  const [token] = splitAt(mailId)
  const message = readToken(key, 'm', token)
  if (message) return { kind: 'message', id: message }
  const ticket = readToken(key, 't', token)
  return ticket ? { kind: 'ticket', id: ticket } : null
}

/** `plain`: the test email to the mailbox's address; `plus`: the one to a plus address. */
export type ProbeKind = 'plain' | 'plus'

const probeKinds = { plain: 'q', plus: 'p' } as const

/** The plus address for a test; null if it would be too long. */
export const makeProbeAddress = (key: Buffer, address: string, probeId: string): string | null =>
  addToken(address, makeToken(key, 'p', probeId))

/** The Message-ID of a test email, without angle brackets. */
export const makeProbeMailId = (key: Buffer, kind: ProbeKind, probeId: string, domain: string): string =>
  `${makeToken(key, probeKinds[kind], probeId)}@${domain}`

export interface ProbeToken {
  kind: ProbeKind
  id: string
}

/** Reads the ID of a test from an address or a Message-ID; null if there is no valid token of a test. */
export function readProbeToken(key: Buffer, text: string): ProbeToken | null {
  for (const kind of ['plus', 'plain'] as const)
    for (const token of [tagOf(text), splitAt(text)[0]]) {
      const id = readToken(key, probeKinds[kind], token)
      if (id) return { kind, id }
    }
  return null
}
