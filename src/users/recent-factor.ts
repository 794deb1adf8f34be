import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthMiddleware, getSessionFromCtx, isAPIError } from 'better-auth/api'
import type { Config } from '../core/config/config.ts'
import type { Db } from '../core/db/db.ts'
import type { ChallengeContext } from './challenge.ts'
import { hasSecondFactorOrPasskey } from './queries.ts'
import { endOtherSessions } from './sessions.ts'

/** Requires a recent second factor for changes to second factors. An open session or the password alone is not enough. */

interface Deps {
  db: Db
  config: Config
}

type Session = NonNullable<Awaited<ReturnType<typeof getSessionFromCtx>>>

const guarded = [
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/get-totp-uri',
  '/two-factor/generate-backup-codes',
  '/passkey/generate-register-options',
  '/passkey/verify-registration',
  '/passkey/delete-passkey',
]

const signIns = [
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/passkey/verify-authentication',
]

const minutes = 10

/** Whether this session began with a second factor in the last minutes, here or at the provider. */
async function isRecent({ db, config }: Deps, sessionId: string): Promise<boolean> {
  const rows = await db`
    select from user_sessions
    where id = ${sessionId} and now() - ${minutes}::int * interval '1 minute' < case
      when provider is not null and ${config.oidcSecondStep === 'provider'}::bool
        then greatest(second_factor_at, created_at) else second_factor_at end`
  return rows.length > 0
}

/** On this error the dashboard asks people to sign in again, then repeats the request. */
async function requireRecent(deps: Deps, { user, session }: Session): Promise<void> {
  if (!(await hasSecondFactorOrPasskey(deps.db, user.id)) || (await isRecent(deps, session.id))) return
  throw new APIError('FORBIDDEN', {
    code: 'SESSION_NOT_FRESH',
    message: 'Sign in again with your second factor, then repeat this within 10 minutes',
  })
}

const noteFactor = (db: Db, sessionId: string) => db`
  update user_sessions set second_factor_at = now() where id = ${sessionId}`

/**
 * Records the second factor for a session that a sign-in or the first code of a new app opened. A code entered in an open
 * session does not count, because wrong guesses there are not limited.
 */
async function keepFactor(
  { db }: Deps,
  { path, context }: ChallengeContext,
  before: Session | null,
): Promise<void> {
  const isPasskey = path === '/passkey/verify-registration'
  const kept = context.newSession ?? (isPasskey ? before : null)
  if (!kept || !(isPasskey || signIns.includes(path!))) return
  await noteFactor(db, kept.session.id)
  const isFirstCode = path === '/two-factor/verify-totp' && before !== null
  if (isPasskey || isFirstCode) await endOtherSessions(db, kept.user.id, kept.session.id)
}

export function requireRecentFactor(deps: Deps) {
  const open = new WeakMap<object, Session>()
  const matcher = ({ path }: { path?: string }) => guarded.includes(path!) || signIns.includes(path!)
  const before = createAuthMiddleware(async ctx => {
    const session = await getSessionFromCtx(ctx)
    if (!session) return
    open.set(ctx.context, session)
    if (guarded.includes(ctx.path!)) await requireRecent(deps, session)
  })
  const after = createAuthMiddleware(async ctx => {
    if (isAPIError(ctx.context.returned)) return
    await keepFactor(deps, ctx, open.get(ctx.context) ?? null)
  })
  return {
    id: 'recent-factor',
    hooks: { before: [{ matcher, handler: before }], after: [{ matcher, handler: after }] },
  } satisfies BetterAuthPlugin
}
