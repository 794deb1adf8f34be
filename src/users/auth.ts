import { passkey } from '@better-auth/passkey'
import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { betterAuth } from 'better-auth/minimal'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import { twoFactor } from 'better-auth/plugins/two-factor'
import { z } from 'zod'
import type { Config } from '../core/config.ts'
import type { Vault } from '../core/crypto.ts'
import type { Db } from '../core/db.ts'
import { newId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import { tablesIn } from './adapter.ts'
import { addressHeader } from './headers.ts'
import { cookiePrefix, secretOf, sessionLife } from './lookup.ts'
import { slowDown } from './slow-down.ts'
import * as tables from './tables.ts'

export interface AuthDeps {
  config: Config
  db: Db
  log: Log
  vault: Vault
  /** Whether an account may be made for somebody with this address who signs in elsewhere. */
  isAwaited(email: string): Promise<boolean>
  /** Somebody gave so many wrong passwords for this account that it is closed for a while. */
  onLock(email: string): Promise<void>
}

export const oidcProvider = 'oidc'
export const shortestPassword = 10

/** What has a way of ours, or is not for people. */
const closedPaths = [
  '/sign-up/email',
  '/request-password-reset',
  '/reset-password',
  '/update-user',
  '/update-session',
  '/list-sessions',
  '/revoke-session',
  '/revoke-sessions',
  '/revoke-other-sessions',
  '/change-email',
  '/delete-user',
  '/delete-user/callback',
  '/verify-email',
  '/send-verification-email',
  '/get-access-token',
  '/refresh-token',
  '/account-info',
  '/error',
  '/two-factor/send-otp',
  '/two-factor/verify-otp',
]

/** Signs a user in without a password: for whoever has just proven by a link who they are. */
const openSession = {
  id: 'links',
  endpoints: {
    openSession: createAuthEndpoint.serverOnly(
      { method: 'POST', body: z.object({ userId: z.string() }) },
      async ctx => {
        const user = await ctx.context.internalAdapter.findUserById(ctx.body.userId)
        if (!user) throw new APIError('NOT_FOUND')
        const session = await ctx.context.internalAdapter.createSession(user.id)
        await setSessionCookie(ctx, { session, user })
        return ctx.json({ token: session.token })
      },
    ),
  },
} satisfies BetterAuthPlugin

function oidc({ oidcIssuer, oidcClientId, oidcClientSecret }: Config) {
  if (!oidcIssuer) return []
  return [
    genericOAuth({
      config: [
        {
          providerId: oidcProvider,
          discoveryUrl: `${oidcIssuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
          clientId: oidcClientId!,
          clientSecret: oidcClientSecret!,
          scopes: ['openid', 'email', 'profile'],
          pkce: true,
        },
      ],
    }),
  ]
}

const plugins = (deps: AuthDeps) => [
  twoFactor({
    issuer: 'Deskbell',
    schema: tables.twoFactorSchema,
    allowPasswordless: true,
    accountLockout: { maxFailedAttempts: 5 },
  }),
  passkey({
    rpName: 'Deskbell',
    rpID: new URL(deps.config.publicUrl).hostname,
    schema: tables.passkeySchema,
  }),
  openSession,
  ...oidc(deps.config),
]

/** The page may be open under PUBLIC_URL, or under whatever address this request came to. */
const trustedOrigins =
  ({ publicUrl }: Config) =>
  (request?: Request): string[] => {
    const host = request?.headers.get('host')
    return [new URL(publicUrl).origin, ...(host ? [`http://${host}`, `https://${host}`] : [])]
  }

/** The library's own words are for whoever looks for a fault: a wrong password is none. */
const levels = { debug: 'debug', info: 'debug', success: 'debug', warn: 'debug', error: 'warn' } as const

const seconds = { day: 86_400 }

export function createAuth(deps: AuthDeps) {
  const { config, db, vault, log, isAwaited } = deps
  return betterAuth({
    appName: 'Deskbell',
    baseURL: new URL(config.publicUrl).origin,
    basePath: '/api/auth',
    secret: secretOf(vault),
    database: tablesIn(db),
    trustedOrigins: trustedOrigins(config),
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    disabledPaths: closedPaths,
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: shortestPassword,
      revokeSessionsOnPasswordReset: true,
    },
    user: {
      ...tables.user,
      async validateUserInfo({ user, source }) {
        if (source.action !== 'create-user' || source.method !== 'oauth') return
        if (user.emailVerified && user.email && (await isAwaited(user.email))) return
        return { error: 'not_invited', errorDescription: 'Ask for an invitation to this address first' }
      },
    },
    session: {
      ...tables.session,
      expiresIn: sessionLife.days * seconds.day,
      updateAge: sessionLife.refreshedAfterDays * seconds.day,
    },
    account: { ...tables.account, encryptOAuthTokens: true },
    verification: { ...tables.verification, storeIdentifier: 'hashed' },
    advanced: {
      cookiePrefix,
      ipAddress: { ipAddressHeaders: [addressHeader] },
      database: { generateId: () => newId(), validateSchema: false },
    },
    logger: { log: (level, message) => log[levels[level]]({ from: 'sign-in' }, message) },
    onAPIError: { errorURL: `${config.publicUrl}/sign-in` },
    hooks: slowDown(deps),
    plugins: plugins(deps),
  })
}

export type Auth = ReturnType<typeof createAuth>
