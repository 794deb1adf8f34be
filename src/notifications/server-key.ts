import { createECDH } from 'node:crypto'
import { importJWK, type JWK, SignJWT } from 'jose'
import type { Config } from '../core/config/config.ts'
import type { Vault } from '../core/crypto.ts'

/**
 * The key pair with which this installation identifies itself to push services (VAPID, RFC 8292). It is derived from SECRET_KEY, so
 * that nothing is stored and all processes have the same one.
 */
export interface ServerKey {
  /** For the browser, base64url. */
  publicKey: string
  jwk: JWK
}

export function deriveServerKey(vault: Vault): ServerKey {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(vault.derive('push'))
  const point = pair.getPublicKey()
  const encode = (from: number, to: number) => point.subarray(from, to).toString('base64url')
  return {
    publicKey: point.toString('base64url'),
    // The first byte of the point says that both coordinates follow.
    jwk: {
      kty: 'EC',
      crv: 'P-256',
      x: encode(1, 33),
      y: encode(33, 65),
      d: pair.getPrivateKey().toString('base64url'),
    },
  }
}

/** How a push service can reach the operator of this server. */
const contactOf = ({ publicUrl, mailFrom }: Pick<Config, 'publicUrl' | 'mailFrom'>): string => {
  const [, address = mailFrom] = /<([^<>]+)>/.exec(mailFrom ?? '') ?? []
  return publicUrl.startsWith('https:') || !address ? publicUrl : `mailto:${address}`
}

/** The header `Authorization` for a push service. */
export async function signPush(
  { publicKey, jwk }: ServerKey,
  config: Pick<Config, 'publicUrl' | 'mailFrom'>,
  service: URL,
): Promise<string> {
  const token = await new SignJWT()
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
    .setAudience(service.origin)
    .setExpirationTime('12h')
    .setSubject(contactOf(config))
    .sign(await importJWK(jwk, 'ES256'))
  return `vapid t=${token}, k=${publicKey}`
}
