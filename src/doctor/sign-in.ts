import type { Config } from '../core/config/config.ts'
import { SetupError } from '../core/config/setup-error.ts'
import { stringOf } from '../core/objects.ts'
import { checkSettings } from '../users/users.ts'
import { requestExternal } from './request-external.ts'

/** Checks of the OpenID Connect provider in the settings. */

interface Discovered {
  issuer?: string
  authorization_endpoint?: string
  token_endpoint?: string
}

const bare = (address: string): string => address.replace(/\/$/, '')

async function discover(issuer: string): Promise<Discovered> {
  const url = `${bare(issuer)}/.well-known/openid-configuration`
  const response = await requestExternal('OIDC_ISSUER', url)
  const found: unknown = await response.json().catch(() => null)
  const own = stringOf(found, 'issuer')
  if (response.ok && own)
    return {
      issuer: own,
      authorization_endpoint: stringOf(found, 'authorization_endpoint'),
      token_endpoint: stringOf(found, 'token_endpoint'),
    }
  throw new SetupError(
    `OIDC_ISSUER: ${url} answers ${response.status} and is not a discovery document; set it to the issuer as the provider names it`,
  )
}

/**
 * Sends a code that does not exist: a provider checks the client before the code. The secret is sent in the form only, as at
 * a sign-in, because a provider refuses a request that contains it twice, even if it is correct.
 */
async function refusesClient(endpoint: string, { oidcClientId, oidcClientSecret, publicUrl }: Config) {
  const response = await requestExternal('OIDC_ISSUER', endpoint, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: 'deskbell-doctor',
      redirect_uri: `${publicUrl}/api/auth/callback/oidc`,
      client_id: oidcClientId!,
      client_secret: oidcClientSecret!,
    }),
  })
  const error = stringOf(await response.json().catch(() => null), 'error')
  return response.status === 401 || error === 'invalid_client' || error === 'unauthorized_client'
}

export async function describeSignIn(config: Config): Promise<string> {
  checkSettings(config)
  if (!config.oidcIssuer) return 'OIDC_ISSUER is not set: people sign in with passwords and passkeys'
  const { issuer, authorization_endpoint, token_endpoint } = await discover(config.oidcIssuer)
  if (bare(issuer!) !== bare(config.oidcIssuer))
    throw new SetupError(
      `OIDC_ISSUER: the provider there calls itself ${issuer}, so nobody can sign in; set OIDC_ISSUER to that`,
    )
  if (!authorization_endpoint || !token_endpoint)
    throw new SetupError(
      `OIDC_ISSUER: the discovery document of ${issuer} has no authorization_endpoint or token_endpoint; use a provider that supports sign-in`,
    )
  if (await refusesClient(token_endpoint, config))
    throw new SetupError(
      `OIDC_CLIENT_SECRET: ${issuer} refuses it for the client ${config.oidcClientId}, so nobody can sign in; set id and secret as the provider shows them, and let the client send its secret in the form (client_secret_post)`,
    )
  return `${issuer} is an OpenID Connect provider and knows the client`
}
