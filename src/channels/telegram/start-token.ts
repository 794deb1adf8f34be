import { createHmac } from 'node:crypto'
import { isSame, type Vault } from '../../core/crypto.ts'
import { currentTime } from '../../core/time.ts'

/**
 * The parameter of a link such as https://t.me/BOT?start=PARAMETER. When a person opens the link, their chat is connected to a contact
 * or a ticket. The parameter is signed, so it need not be stored. Telegram allows 64 letters, digits, underscores and hyphens.
 */

export interface StartTarget {
  kind: 'contact' | 'ticket'
  id: string
}

const kinds = { contact: 1, ticket: 2 } as const
const macBytes = 12
const payloadBytes = 21
const lifetimeSeconds = 60 * 60

const macOf = (vault: Vault, projectId: string, payload: Buffer): Buffer =>
  createHmac('sha256', vault.derive('telegram start'))
    .update(projectId)
    .update(payload)
    .digest()
    .subarray(0, macBytes)

/** `at` in milliseconds since 1970. */
export function makeStartToken(
  vault: Vault,
  projectId: string,
  { kind, id }: StartTarget,
  at = currentTime(),
): string {
  const payload = Buffer.alloc(payloadBytes)
  payload.writeUInt8(kinds[kind], 0)
  payload.write(id.replaceAll('-', ''), 1, 'hex')
  payload.writeUInt32BE(Math.floor(at / 1_000) + lifetimeSeconds, 17)
  return Buffer.concat([payload, macOf(vault, projectId, payload)]).toString('base64url')
}

const dashes = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/

/** Null if the parameter was not made here for this project, or has expired. */
export function readStartToken(
  vault: Vault,
  projectId: string,
  token: string,
  at = currentTime(),
): StartTarget | null {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== payloadBytes + macBytes || bytes.toString('base64url') !== token) return null
  const payload = bytes.subarray(0, payloadBytes)
  if (!isSame(bytes.subarray(payloadBytes), macOf(vault, projectId, payload))) return null
  if (payload.readUInt32BE(17) * 1_000 <= at) return null
  const kind = payload.readUInt8(0) === kinds.ticket ? 'ticket' : 'contact'
  return { kind, id: payload.toString('hex', 1, 17).replace(dashes, '$1-$2-$3-$4-$5') }
}
