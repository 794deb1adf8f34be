import type { BetterAuthOptions, BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthMiddleware, getOAuthState, isAPIError } from 'better-auth/api'
import { type GenericOAuthConfig, genericOAuth } from 'better-auth/plugins/generic-oauth'
import type { Config } from '../core/config/config.ts'
import { propertyOf } from '../core/objects.ts'
import type { AuthDeps } from './auth.ts'
import { groupsOf } from './groups.ts'
import { completeProvider, nameIn, type Provider } from './provider-calls.ts'
import { deleteUnprovenLogins, updateGroups } from './queries.ts'

/** Sign-in at the configured OpenID Connect provider. */

const oidcProvider = 'oidc'

type Profile = Record<string, unknown>
type Deps = Pick<AuthDeps, 'config' | 'db' | 'log' | 'isAwaited' | 'onArrival'>
type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]
type Validate = NonNullable<NonNullable<BetterAuthOptions['user']>['validateUserInfo']>

const isCallback = ({ path }: { path?: string }): boolean => path?.startsWith('/callback/') ?? false

/** Operations that replace the session of the request by a new one. */
const renewingPaths = [
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/verify-totp',
  '/change-password',
]

interface Begun {
  path?: string
  context?: { session?: { session: { userId: string; provider?: string | null } } | null }
}

/**
 * The provider at which a new session of this user began. A session that replaces another one inherits this. With `OIDC_ONLY`, a
 * session opened by a code began at the provider too, because a code is only asked for after a sign-in there.
 */
export function providerOf(userId: string, ctx: Begun | null, { oidcOnly }: Config): string | null {
  if (!ctx) return null
  const before = ctx.context?.session?.session
  if (before?.userId === userId && renewingPaths.includes(ctx.path!)) return before.provider ?? null
  const followsIt = oidcOnly === 'on' && ctx.path?.startsWith('/two-factor/')
  return isCallback(ctx) || followsIt ? oidcProvider : null
}

interface Asking {
  hooks: { after: { matcher(ctx: { path?: string }): boolean }[] }
}

/** People with a second step are asked for a code after signing in at the provider, as after a password. */
export function askAfterProvider<T extends Asking>({ oidcSecondStep }: Config, plugin: T): T {
  if (oidcSecondStep === 'provider') return plugin
  const after = plugin.hooks.after.map(hook => ({
    ...hook,
    matcher: (ctx: { path?: string }) => hook.matcher(ctx) || isCallback(ctx),
  }))
  return { ...plugin, hooks: { ...plugin.hooks, after } }
}

const configOf = ({ config }: Deps): GenericOAuthConfig => ({
  providerId: oidcProvider,
  discoveryUrl: `${config.oidcIssuer!.replace(/\/$/, '')}/.well-known/openid-configuration`,
  clientId: config.oidcClientId!,
  clientSecret: config.oidcClientSecret!,
  scopes: config.oidcScopes.split(/\s+/),
  pkce: true,
  requireIdTokenVerification: true,
  disableProviderLogout: config.oidcSignOut === 'off',
  mapProfileToUser: profile => ({
    name: nameIn(profile),
    ...(config.oidcTrustEmail === 'on' &&
      (profile.email_verified ?? null) === null && { emailVerified: true }),
  }),
})

/** Fetches the provider's addresses at the first use, so that a provider that does not respond does not delay people who use a password. */
function openLater(config: GenericOAuthConfig) {
  const plugin = genericOAuth({ config: [config] })
  const pending = new Map([[oidcProvider, config]])
  return { ...plugin, init: async () => ({ context: { genericOAuthPendingDiscovery: pending } }) }
}

/** The provider's profile of the person, by the state that the request brought back. */
const profiles = new WeakMap<object, Profile>()

/** The link that the person opened before going to the provider. */
const tokenIn = (callbackUrl: string | undefined): string | null =>
  /\/link\/([\w-]+)/.exec(callbackUrl ?? '')?.[1] ?? null

/** Admits people who have an account or an invitation for an address that the provider has verified. */
export function createValidation({ config, db, isAwaited }: Deps): Validate {
  return async ({ user, source }) => {
    if (source.method !== 'oauth') return
    const state = await getOAuthState()
    if (state) profiles.set(state, source.oauth?.profile ?? {})
    const isProven = user.emailVerified === true && typeof user.email === 'string'
    // The person who created the account may not own its address, and may have left another way to sign in.
    if (source.action === 'link-account' && config.oidcOnly === 'on' && isProven && user.id)
      await deleteUnprovenLogins(db, user.id)
    if (source.action !== 'create-user') return
    if (!isProven) return { error: 'email_not_verified' }
    if (await isAwaited(user.email!, tokenIn(state?.callbackURL))) return
    return { error: 'not_invited' }
  }
}

/** The reason for a failure in the redirect URL; null if the person is signed in. */
function reasonOf(returned: unknown): string | null {
  const location = isAPIError(returned) ? new Headers(returned.headers).get('location') : null
  return location && new URL(location, 'http://localhost').searchParams.get('error')
}

/** Refuses posted identity tokens, which would sign in without the checks of a redirect. */
const refuseTokens = createAuthMiddleware(async ctx => {
  if (ctx.body?.idToken) throw new APIError('BAD_REQUEST', { code: 'ID_TOKEN_NOT_SUPPORTED' })
})

const requireProvider = createAuthMiddleware(async ctx => {
  if (ctx.context.socialProviders.some(({ id }) => id === oidcProvider)) return
  throw new APIError('FAILED_DEPENDENCY', {
    code: 'PROVIDER_AWAY',
    message: 'The provider is not responding; try again later',
  })
})

/** Adds our rules to the provider after discovery, which creates it again for this process. */
function completeOnce(deps: Deps) {
  const known = new WeakSet<object>()
  return createAuthMiddleware(async ctx => {
    const provider = ctx.context.socialProviders.find(({ id }) => id === oidcProvider)
    if (!provider || known.has(provider)) return
    known.add(provider)
    // The list of providers does not know that this one returns claims.
    completeProvider(provider as unknown as Provider, deps)
  })
}

async function welcome({ config, db, log, onArrival }: Deps, ctx: Context): Promise<void> {
  const state = await getOAuthState()
  const profile = state && profiles.get(state)
  if (!profile) return
  const userId = await updateGroups(db, String(profile.sub), groupsOf(profile, config))
  const mayJoin = Boolean(ctx.context.newSession) && tokenIn(state.callbackURL) === null
  if (userId)
    await onArrival(userId, mayJoin).catch(err =>
      log.error({ err }, 'Somebody signed in at the provider, but their projects or role could not be set'),
    )
}

const comeBack = (deps: Deps) =>
  createAuthMiddleware(async ctx => {
    const cause = reasonOf(ctx.context.returned)
    if (cause) return deps.log.warn({ from: 'sign-in', cause }, 'A sign-in at the provider did not succeed')
    await welcome(deps, ctx)
    if (!propertyOf(ctx.context.returned, 'twoFactorRedirect')) return
    const next = encodeURIComponent((await getOAuthState())?.callbackURL ?? '/')
    throw ctx.redirect(`/sign-in?step=second&next=${next}`)
  })

export function oidcPlugins(deps: Deps) {
  if (!deps.config.oidcIssuer) return []
  const plugin = openLater(configOf(deps))
  const beginsThere = ({ path }: { path?: string }) => path === '/sign-in/social' || path === '/link-social'
  const discover = createAuthMiddleware(async ctx => {
    await plugin.hooks.before[0]!.handler({ ...ctx, query: { provider: oidcProvider } })
  })
  return [
    plugin,
    {
      id: 'oidc-rules',
      hooks: {
        before: [
          { matcher: beginsThere, handler: refuseTokens },
          { matcher: beginsThere, handler: requireProvider },
          { matcher: isCallback, handler: completeOnce(deps) },
          {
            matcher: ({ path }) => path === '/sign-out' && deps.config.oidcSignOut === 'on',
            handler: discover,
          },
        ],
        after: [{ matcher: isCallback, handler: comeBack(deps) }],
      },
    } satisfies BetterAuthPlugin,
  ]
}
