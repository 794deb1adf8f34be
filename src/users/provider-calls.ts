import type { OAuth2Tokens, OAuthProvider } from 'better-auth'
import { decodeJwt } from 'jose'
import type { Config } from '../core/config.ts'
import { within } from '../core/in-time.ts'
import type { Log } from '../core/log.ts'
import { readOidcClaim } from './groups.ts'

/** Requests to the provider during a sign-in, and how their responses are used. */

type Claims = Record<string, unknown>
export type Provider = OAuthProvider<Claims>
type Ask = Provider['getUserInfo']
type Told = Awaited<ReturnType<Ask>>

interface Deps {
  config: Pick<Config, 'oidcGroups' | 'oidcGroupsClaim'>
  log: Log
}

/** Milliseconds for each response. better-auth has no limit for most of them. */
const maxAnswer = 10_000

const late = () => {
  throw new Error('The provider has not answered in time')
}

const neededClaims = ({ oidcGroups, oidcGroupsClaim }: Deps['config']): string[] => [
  'email_verified',
  ...(oidcGroups.length > 0 ? [oidcGroupsClaim] : []),
]

const isSameAddress = (one: unknown, other: unknown): boolean =>
  String(one).toLowerCase() === String(other).toLowerCase()

/** Adds claims that only the userinfo endpoint has. The identity token is signed and takes precedence. */
function merge(told: NonNullable<Told>, more: NonNullable<Told>, claims: Claims): Told {
  const isProvenThere = claims.email_verified === undefined && isSameAddress(more.data.email, claims.email)
  const { emailVerified } = isProvenThere ? more.user : told.user
  return { user: { ...told.user, emailVerified }, data: { ...more.data, ...claims } }
}

/** Queries the userinfo endpoint, which better-auth does only if the identity token has no address. */
async function askForAll(ask: Ask, { config, log }: Deps, tokens: OAuth2Tokens): Promise<Told> {
  const told = await ask(tokens)
  if (!told || !tokens.idToken) return told
  const claims: Claims = decodeJwt(tokens.idToken)
  if (!claims.email) return { ...told, data: { ...told.data, ...claims } }
  const missing = neededClaims(config).filter(name => (readOidcClaim(claims, name) ?? null) === null)
  if (missing.length === 0) return told
  const more = await ask({ accessToken: tokens.accessToken })
  if (more && more.data.sub === claims.sub) return merge(told, more, claims)
  log.warn(
    { from: 'sign-in', missing },
    'The identity token lacks claims, and the provider does not add them',
  )
  return told
}

/** The maximum length of a name, as elsewhere. */
const maxName = 255

/** A valid name, which is visible and on one line. */
export function nameIn({ name, preferred_username, email }: Claims): string {
  const told = [name, preferred_username, String(email ?? '').split('@')[0]]
  const names = told.map(one =>
    String(one ?? '')
      .replaceAll(/\p{Cc}+/gu, ' ')
      .trim(),
  )
  return [...(names.find(Boolean) ?? '')].slice(0, maxName).join('').trim()
}

/** Limits the wait for each response, and fetches every claim that Deskbell reads. */
export function completeProvider(provider: Provider, deps: Deps, ms = maxAnswer): void {
  const { validateAuthorizationCode, getUserInfo } = provider
  provider.validateAuthorizationCode = data => within(ms, validateAuthorizationCode(data), late)
  provider.getUserInfo = tokens =>
    within(ms, askForAll(getUserInfo, deps, tokens), late).catch(err => {
      deps.log.warn({ from: 'sign-in', err }, 'The provider did not say who signs in')
      return null
    })
}
