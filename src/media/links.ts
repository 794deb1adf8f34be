import { hmacHex, isSame, type Vault } from '../core/crypto.ts'
import { currentTime } from '../core/time.ts'
import type { LinkQuery, MediaItem } from './schema.ts'

/** Addresses of files in events, spec §6.6.3: below /api/media, and signed for 12 hours where a note is internal. */

const validSeconds = 12 * 60 * 60

// An unsigned address of an internal file would be a dead one, and nobody would notice.
let key: string | null = null

/** Handed in by whoever starts something that writes or serves such addresses. */
export const signLinksWith = (vault: Vault): void => {
  key = vault.derive('media links').toString('hex')
}

function signatureOf(id: string, exp: string): string {
  if (key === null) throw new Error('Nobody has handed in the key of links; see signLinksWith')
  return hmacHex(key, Buffer.from(`${id}\n${exp}`))
}

export function signedQuery(id: string, at = currentTime()): string {
  const exp = String(Math.floor(at / 1_000) + validSeconds)
  return `?exp=${exp}&sig=${signatureOf(id, exp)}`
}

/** A file as an event shows it. */
export function inEvent(file: MediaItem, isInternal: boolean): MediaItem {
  const query = isInternal ? signedQuery(file.id) : ''
  const url = `/api/media/${file.id}`
  return { ...file, url: url + query, thumb_url: file.thumb_url && `${url}/thumb${query}` }
}

/** True for a good signature, null without one, false for one that is over or was changed. Compared as text: to the bit. */
export function checkLink(id: string, { exp, sig }: LinkQuery, at = currentTime()): boolean | null {
  if (exp === undefined && sig === undefined) return null
  const given = Buffer.from(sig ?? '')
  const right = Buffer.from(signatureOf(id, exp ?? ''))
  if (!isSame(given, right)) return false
  return at <= Number(exp) * 1_000
}
