import { passkey } from '@better-auth/passkey'
import type { BetterAuthOptions, BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { betterAuth } from 'better-auth/minimal'
import { twoFactor } from 'better-auth/plugins/two-factor'
import { z } from 'zod'
import type { Config } from '../core/config/config.ts'
import type { Vault } from '../core/crypto.ts'
import type { Db } from '../core/db/db.ts'
import { listOwnOrigins } from '../core/http/own-origin.ts'
import { newId } from '../core/ids.ts'
import type { Log } from '../core/telemetry/log.ts'
import { tablesIn } from './adapter.ts'
import { createAuthLog } from './auth-log.ts'
import { addressHeader } from './headers.ts'
import { cookiePrefix, cookieSecretOf, sessionLifetime } from './lookup.ts'
import { askAfterProvider, createValidation, oidcPlugins, providerOf } from './oidc.ts'
import { passkeyRules } from './passkey-rules.ts'
import { requireRecentFactor } from './recent-factor.ts'
import { makeRecoveryCodes } from './recovery-codes.ts'
import { maxWrongCodes, secondStepRules } from './second-step.ts'
import { type OnSecurityChange, securityChanges } from './security-changes.ts'
import { throttleSignIn } from './sign-in-throttle.ts'
import * as tables from './tables.ts'
import { refuseUsedCodes } from './used-codes.ts'

export interface AuthDeps {
  config: Config
  db: Db
  log: Log
  vault: Vault
  /**
   * Whether an account may be created for a person who signs in at the provider with this address, or who opened this link
   * before.
   */
  isAwaited(email: string, linkToken: string | null): Promise<boolean>
  /** Called when somebody has signed in at the provider. `mayJoin` is true if no further step is required. */
  onArrival(userId: string, mayJoin: boolean): Promise<void>
  /** Called when an account is blocked for a while after too many wrong passwords. */
  onLock(email: string): Promise<void>
  /** Called when a signed-in person has changed how to sign in to the account. It does not delay the response. */
  onSecurityChange: OnSecurityChange
}

export const minPasswordLength = 10

/** Operations of better-auth that are disabled: we have our own, or people must not use them. */
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

/** Ways to sign in, or to confirm the password, without the provider. */
const ownWays = [
  '/sign-in/email',
  '/change-password',
  '/verify-password',
  '/passkey/generate-authenticate-options',
  '/passkey/verify-authentication',
]

/** Signs a user in without a password, after they have proved by a link who they are. */
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

/** A passkey is enough to sign in, so the device must verify its owner by PIN, fingerprint or face. */
function requirePerson(verification: { userVerified: boolean } | undefined): void {
  if (!verification?.userVerified) throw new APIError('UNAUTHORIZED', { code: 'USER_NOT_VERIFIED' })
}

const plugins = (deps: AuthDeps) => [
  askAfterProvider(
    deps.config,
    twoFactor({
      issuer: 'Deskbell',
      schema: tables.twoFactorSchema,
      allowPasswordless: true,
      accountLockout: { maxFailedAttempts: maxWrongCodes },
      backupCodeOptions: { customBackupCodesGenerate: makeRecoveryCodes },
    }),
  ),
  passkey({
    rpName: 'Deskbell',
    rpID: new URL(deps.config.publicUrl).hostname,
    schema: tables.passkeySchema,
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    registration: { afterVerification: ({ verification }) => requirePerson(verification.registrationInfo) },
    authentication: {
      afterVerification: ({ verification }) => requirePerson(verification.authenticationInfo),
    },
  }),
  secondStepRules(deps.db),
  passkeyRules(deps.config),
  securityChanges(deps.onSecurityChange),
  openSession,
  refuseUsedCodes(deps.db),
  requireRecentFactor(deps),
  ...oidcPlugins(deps),
]

const trustedOrigins =
  ({ publicUrl }: Config) =>
  (request?: Request): string[] =>
    listOwnOrigins(request?.headers.get('host'), publicUrl)

const seconds = { day: 86_400 }

/** Records for each session whether it began at the provider. */
const noteProvider = (config: Config): NonNullable<BetterAuthOptions['databaseHooks']> => ({
  session: {
    create: {
      before: async (session, ctx) => ({
        data: { ...session, provider: providerOf(session.userId, ctx, config) },
      }),
    },
  },
})

export function createAuth(deps: AuthDeps) {
  const { config, db, vault, log } = deps
  return betterAuth({
    appName: 'Deskbell',
    baseURL: new URL(config.publicUrl).origin,
    basePath: '/api/auth',
    secret: cookieSecretOf(vault),
    database: tablesIn(db),
    trustedOrigins: trustedOrigins(config),
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    disabledPaths: config.oidcOnly === 'on' ? [...closedPaths, ...ownWays] : closedPaths,
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: minPasswordLength,
      revokeSessionsOnPasswordReset: true,
    },
    user: {
      ...tables.user,
      validateUserInfo: createValidation(deps),
    },
    session: {
      ...tables.session,
      expiresIn: sessionLifetime.days * seconds.day,
      updateAge: sessionLifetime.refreshedAfterDays * seconds.day,
    },
    account: {
      ...tables.account,
      encryptOAuthTokens: true,
      // In a cookie, because the return URL may contain a link, of which the database stores only the hash.
      storeStateStrategy: 'cookie',
      accountLinking: { requireLocalEmailVerified: config.oidcOnly === 'off' },
    },
    databaseHooks: noteProvider(config),
    verification: { ...tables.verification, storeIdentifier: 'hashed' },
    advanced: {
      cookiePrefix,
      ipAddress: { ipAddressHeaders: [addressHeader] },
      database: { generateId: () => newId(), validateSchema: false },
    },
    logger: createAuthLog(log),
    onAPIError: { errorURL: `${config.publicUrl}/sign-in` },
    hooks: throttleSignIn(deps),
    plugins: plugins(deps),
  })
}

export type Auth = ReturnType<typeof createAuth>
