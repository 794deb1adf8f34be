import { errors, type JWTPayload, jwtVerify } from 'jose'
import { currentTime } from '../../core/time.ts'

/** Verifies the JSON Web Tokens that sites sign for their users: HS256, valid for at most a day. */

export type TokenResult = { claims: JWTPayload } | { wrong: string }

/** Tolerance for different clocks. */
const leewaySeconds = 60
const maxLifetimeSeconds = 24 * 60 * 60

const reasons: Record<string, string> = {
  ERR_JOSE_ALG_NOT_ALLOWED: 'not_hs256',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'signature',
  ERR_JWT_EXPIRED: 'expired',
}
const claimReasons: Record<string, string> = { exp: 'exp_missing', nbf: 'not_yet' }

function reasonOf(error: unknown): string {
  if (!(error instanceof errors.JOSEError)) throw error
  const reason =
    error instanceof errors.JWTClaimValidationFailed ? claimReasons[error.claim] : reasons[error.code]
  return reason ?? 'not_a_token'
}

export async function readToken(token: string, secret: string, at = currentTime()): Promise<TokenResult> {
  try {
    const { payload } = await jwtVerify(token, Buffer.from(secret), {
      algorithms: ['HS256'],
      clockTolerance: leewaySeconds,
      currentDate: new Date(at),
      requiredClaims: ['exp'],
    })
    const isTooLong = payload.exp! > at / 1_000 + maxLifetimeSeconds + leewaySeconds
    return isTooLong ? { wrong: 'exp_too_late' } : { claims: payload }
  } catch (error) {
    return { wrong: reasonOf(error) }
  }
}
