import { hmacHex, isSame, type Vault } from '../core/crypto.ts'
import { currentTime } from '../core/time.ts'
import type { LinkQuery, MediaItem } from './schema.ts'

/** URLs of files in events, below /api/media. Those of internal notes are signed and valid for 12 hours: specification §6.6.3. */

const validSeconds = 12 * 60 * 60

// Without a key, URLs of internal files would not work, and the error would go unnoticed.
let key: string | null = null

/** Called at the start of everything that writes or serves such URLs. */
export const signLinksWith = (vault: Vault): void => {
  key = vault.derive('media links').toString('hex')
}

function signatureOf(id: string, exp: string): string {
  if (key === null) throw new Error('signLinksWith has not been called')
  return hmacHex(key, Buffer.from(`${id}\n${exp}`))
}

export function signedQuery(id: string, at = currentTime(), seconds = validSeconds): string {
  const exp = String(Math.floor(at / 1_000) + seconds)
  return `?exp=${exp}&sig=${signatureOf(id, exp)}`
}

/** A file in an event. */
export function inEvent(file: MediaItem, isInternal: boolean): MediaItem {
  const query = isInternal ? signedQuery(file.id) : ''
  const url = `/api/media/${file.id}`
  return { ...file, url: url + query, thumb_url: file.thumb_url && `${url}/thumb${query}` }
}

/** True for a valid signature, null without one, false if it has expired or was changed. Compared as text, so that every bit counts. */
export function checkLink(id: string, { exp, sig }: LinkQuery, at = currentTime()): boolean | null {
  if (exp === undefined && sig === undefined) return null
  const given = Buffer.from(sig ?? '')
  const right = Buffer.from(signatureOf(id, exp ?? ''))
  if (!isSame(given, right)) return false
  return at <= Number(exp) * 1_000
}
