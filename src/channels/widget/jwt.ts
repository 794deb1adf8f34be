import { createHmac, timingSafeEqual } from 'node:crypto'

/** Reads JSON Web Tokens of the one kind that pages sign: HS256. Whatever else the header names is not believed. */

export interface Claims {
  sub?: unknown
  email?: unknown
  name?: unknown
  phone?: unknown
  telegram_id?: unknown
  locale?: unknown
  exp?: unknown
  nbf?: unknown
}

export type Reading = { claims: Claims } | { wrong: string }

const shape = /^[\w-]{2,}\.[\w-]{2,}\.[\w-]{43}$/

/** Clocks of two machines differ. */
const leeway = 60
const longest = 24 * 60 * 60

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parse(part: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

export const isSame = (given: Buffer, right: Buffer): boolean =>
  given.length === right.length && timingSafeEqual(given, right)

/** Null when its time is right. */
function checkTime({ exp, nbf }: Claims, seconds: number): string | null {
  if (typeof exp !== 'number') return 'exp_missing'
  if (exp + leeway <= seconds) return 'expired'
  if (exp > seconds + longest + leeway) return 'exp_too_late'
  return typeof nbf === 'number' && nbf > seconds + leeway ? 'not_yet' : null
}

export function readToken(token: string, secret: string, at = Date.now()): Reading {
  if (!shape.test(token)) return { wrong: 'not_a_token' }
  const [head = '', body = '', signature = ''] = token.split('.')
  if (parse(head)?.alg !== 'HS256') return { wrong: 'not_hs256' }
  const right = createHmac('sha256', secret).update(`${head}.${body}`).digest()
  if (!isSame(Buffer.from(signature, 'base64url'), right)) return { wrong: 'signature' }
  const claims = parse(body)
  if (!claims) return { wrong: 'not_a_token' }
  const wrong = checkTime(claims, at / 1_000)
  return wrong ? { wrong } : { claims }
}
