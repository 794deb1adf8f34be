import { createHmac } from 'node:crypto'
import type { Config } from '../core/config/config.ts'
import { isSame, type Vault } from '../core/crypto.ts'
import { createBatch } from '../core/db/batch.ts'
import type { Db } from '../core/db/db.ts'
import { hashToken } from './hashed-tokens.ts'
import { listOpenSessions, type OpenSession } from './queries.ts'

/**
 * Looks up the session of a cookie on every request, so that an ended session stops working at once. better-auth would take ten times
 * as long, and 70 MB of memory even if nobody signs in.
 */

export const cookiePrefix = 'deskbell'
export const sessionLifetime = { days: 30, refreshedAfterDays: 1 }

/** The key with which cookies are signed. */
export const cookieSecretOf = (vault: Vault): string => vault.derive('users').toString('hex')

interface Deps {
  db: Db
  vault: Vault
  config: Pick<Config, 'publicUrl' | 'oidcOnly'>
}

function cookieOf(header: string, name: string): string | null {
  const start = `${name}=`
  const pair = header.split(/;\s*/).find(one => one.startsWith(start))
  try {
    return pair === undefined ? null : decodeURIComponent(pair.slice(start.length))
  } catch {
    return null
  }
}

/** The token of `token.signature`; null if the signature is not ours. */
function readSigned(value: string, secret: string): string | null {
  const dot = value.lastIndexOf('.')
  const token = value.slice(0, Math.max(dot, 0))
  const given = Buffer.from(value.slice(dot + 1), 'base64')
  const wanted = createHmac('sha256', secret).update(token).digest()
  return token && isSame(given, wanted) ? token : null
}

/** Concurrent look-ups are one statement. */
export function createSessionLookup({
  db,
  vault,
  config,
}: Deps): (header: string) => Promise<OpenSession | null> {
  const name = `${config.publicUrl.startsWith('https:') ? '__Secure-' : ''}${cookiePrefix}.session_token`
  const secret = cookieSecretOf(vault)
  const find = createBatch<string, OpenSession | null>(
    async tokens => {
      const rows = await listOpenSessions(
        db,
        tokens,
        sessionLifetime.days - sessionLifetime.refreshedAfterDays,
      )
      const byToken = new Map(rows.map(row => [row.token, row]))
      return token => byToken.get(token) ?? null
    },
    { nameOf: token => token, maxKeys: 500 },
  )
  return async header => {
    const value = cookieOf(header, name)
    const token = value && readSigned(value, secret)
    const found = token ? await find(hashToken(token)) : null
    return found?.provider === null && config.oidcOnly === 'on' ? null : found
  }
}
