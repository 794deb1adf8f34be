import type { OAuth2Tokens, OAuthProvider } from 'better-auth'
import { decodeJwt } from 'jose'
import { within } from '../core/async/in-time.ts'
import type { Config } from '../core/config/config.ts'
import type { Log } from '../core/telemetry/log.ts'
import { readOidcClaim } from './groups.ts'

/** Requests to the provider during a sign-in, and how their responses are used. */

type Claims = Record<string, unknown>
export type Provider = OAuthProvider<Claims>
type Ask = Provider['getUserInfo']
type Profile = Awaited<ReturnType<Ask>>

interface Deps {
  config: Pick<Config, 'oidcGroups' | 'oidcGroupsClaim'>
  log: Log
}

/** Milliseconds for each response. better-auth has no limit for most of them. */
const maxAnswer = 10_000

const failLate = () => {
  throw new Error('The provider has not answered in time')
}

const neededClaims = ({ oidcGroups, oidcGroupsClaim }: Deps['config']): string[] => [
  'email_verified',
  ...(oidcGroups.length > 0 ? [oidcGroupsClaim] : []),
]

const isSameAddress = (one: unknown, other: unknown): boolean =>
  String(one).toLowerCase() === String(other).toLowerCase()

/** Adds claims that only the userinfo endpoint has. The identity token is signed and takes precedence. */
function merge(profile: NonNullable<Profile>, more: NonNullable<Profile>, claims: Claims): Profile {
  const isProvenThere = claims.email_verified === undefined && isSameAddress(more.data.email, claims.email)
  const { emailVerified } = isProvenThere ? more.user : profile.user
  return { user: { ...profile.user, emailVerified }, data: { ...more.data, ...claims } }
}

/** Queries the userinfo endpoint, which better-auth does only if the identity token has no address. */
async function askForAll(ask: Ask, { config, log }: Deps, tokens: OAuth2Tokens): Promise<Profile> {
  const profile = await ask(tokens)
  if (!profile || !tokens.idToken) return profile
  const claims: Claims = decodeJwt(tokens.idToken)
  if (!claims.email) return { ...profile, data: { ...profile.data, ...claims } }
  const missing = neededClaims(config).filter(name => (readOidcClaim(claims, name) ?? null) === null)
  if (missing.length === 0) return profile
  const more = await ask({ accessToken: tokens.accessToken })
  if (more && more.data.sub === claims.sub) return merge(profile, more, claims)
  log.warn(
    { from: 'sign-in', missing },
    'The identity token lacks claims, and the provider does not add them',
  )
  return profile
}

/** The maximum length of a name, as elsewhere. */
const maxName = 255

/** A valid name, which is visible and on one line. */
export function nameIn({ name, preferred_username, email }: Claims): string {
  const candidates = [name, preferred_username, String(email ?? '').split('@')[0]]
  const names = candidates.map(one =>
    String(one ?? '')
      .replaceAll(/\p{Cc}+/gu, ' ')
      .trim(),
  )
  return [...(names.find(Boolean) ?? '')].slice(0, maxName).join('').trim()
}

/** Limits the wait for each response, and fetches every claim that Deskbell reads. */
export function completeProvider(provider: Provider, deps: Deps, ms = maxAnswer): void {
  const { validateAuthorizationCode, getUserInfo } = provider
  provider.validateAuthorizationCode = data => within(ms, validateAuthorizationCode(data), failLate)
  provider.getUserInfo = tokens =>
    within(ms, askForAll(getUserInfo, deps, tokens), failLate).catch(err => {
      deps.log.warn(
        { from: 'sign-in', err },
        'The provider did not return the profile of the person who signs in',
      )
      return null
    })
}
