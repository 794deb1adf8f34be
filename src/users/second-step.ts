import type { BetterAuthPlugin } from 'better-auth'
import {
  APIError,
  createAuthEndpoint,
  createAuthMiddleware,
  getSessionFromCtx,
  isAPIError,
  sessionMiddleware,
} from 'better-auth/api'
import { symmetricDecrypt } from 'better-auth/crypto'
import type { Db, Sql } from '../core/db/db.ts'
import { asRecord } from '../core/objects.ts'
import { type ChallengeContext, findAskedUserId, findUserId } from './challenge.ts'
import { findTypedCode } from './recovery-codes.ts'

/** Wrong codes in a row after which the second step is blocked for a while. */
export const maxWrongCodes = 5

const recoveryPath = '/two-factor/verify-backup-code'

interface Factor {
  backup_codes: string
  failed_verification_count: number
}

async function findFactor(sql: Sql, userId: string | null): Promise<Factor | null> {
  const [row] = await sql<Factor[]>`
    select backup_codes, failed_verification_count from two_factors where user_id = ${userId}::uuid`
  return row ?? null
}

async function listCodes(ctx: Pick<ChallengeContext, 'context'>, factor: Factor | null): Promise<string[]> {
  if (!factor) return []
  return JSON.parse(await symmetricDecrypt({ key: ctx.context.secretConfig, data: factor.backup_codes }))
}

/** Normalises typed codes, because better-auth compares them exactly. */
const readCode = (db: Db) =>
  createAuthMiddleware(async ctx => {
    const typed = ctx.body?.code
    if (typeof typed !== 'string') return
    const codes = await listCodes(ctx, await findFactor(db, await findUserId(ctx)))
    return { context: { body: { ...ctx.body, code: findTypedCode(codes, typed.trim()) } } }
  })

const isWrong = (returned: unknown): returned is APIError =>
  isAPIError(returned) && /^INVALID_(BACKUP_)?CODE$/.test(String(returned.body?.code))

/** Only wrong codes during a sign-in count. */
const sayAttemptsLeft = (db: Db) =>
  createAuthMiddleware(async ctx => {
    const { returned } = ctx.context
    if (!isWrong(returned)) return
    const factor = await findFactor(db, await findAskedUserId(ctx))
    if (!factor) return
    const attempts_left = Math.max(0, maxWrongCodes - factor.failed_verification_count)
    throw new APIError('UNAUTHORIZED', { ...returned.body, attempts_left })
  })

const sayCodesLeft = (db: Db) =>
  createAuthMiddleware(async ctx => {
    const { returned } = ctx.context
    if (isAPIError(returned)) return
    const { user } = ctx.context.newSession ?? (await getSessionFromCtx(ctx)) ?? {}
    const codes = await listCodes(ctx, await findFactor(db, user?.id ?? null))
    return ctx.json({ ...asRecord(returned), recovery_codes_left: codes.length })
  })

const countCodes = (db: Db) =>
  createAuthEndpoint('/two-factor/recovery-codes', { method: 'GET', use: [sessionMiddleware] }, async ctx => {
    const codes = await listCodes(ctx, await findFactor(db, ctx.context.session.user.id))
    return ctx.json({ left: codes.length })
  })

/** Extends the second step of better-auth: accepts codes as people type them, and reports how many attempts are left. */
export const secondStepRules = (db: Db) =>
  ({
    id: 'second-step-rules',
    endpoints: { countRecoveryCodes: countCodes(db) },
    hooks: {
      before: [{ matcher: ({ path }) => path === recoveryPath, handler: readCode(db) }],
      after: [
        {
          matcher: ({ path }) => path === recoveryPath || path === '/two-factor/verify-totp',
          handler: sayAttemptsLeft(db),
        },
        { matcher: ({ path }) => path === recoveryPath, handler: sayCodesLeft(db) },
      ],
    },
  }) satisfies BetterAuthPlugin
