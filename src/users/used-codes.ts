import { createHmac } from 'node:crypto'
import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthMiddleware } from 'better-auth/api'
import { symmetricDecrypt } from 'better-auth/crypto'
import type { Db } from '../core/db/db.ts'
import { type ChallengeContext, findUserId } from './challenge.ts'

/** better-auth accepts a code any number of times for 90 seconds. Here each code works once (RFC 6238, 5.2). */

const stepMs = 30_000

function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const number = mac.readUInt32BE(mac.at(-1)! & 15) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

/** The newest time step with this code, among those that better-auth accepts. */
function findStep(secret: string, code: string): number | null {
  const now = Math.floor(Date.now() / stepMs)
  return [now + 1, now, now - 1].find(step => codeAt(secret, step) === code) ?? null
}

/** If two requests use a code at once, only one gets true. */
async function takeStep(db: Db, userId: string, step: number): Promise<boolean> {
  const { count } = await db`
    update two_factors set last_step = ${step}::bigint
    where user_id = ${userId} and (last_step is null or last_step < ${step}::bigint)`
  return count > 0
}

async function refuseUsed(db: Db, ctx: ChallengeContext): Promise<void> {
  const userId = await findUserId(ctx)
  if (!userId) return
  const [factor] = await db<{ secret: string }[]>`select secret from two_factors where user_id = ${userId}`
  if (!factor) return
  const secret = await symmetricDecrypt({ key: ctx.context.secretConfig, data: factor.secret })
  const step = findStep(secret, String(ctx.body?.code))
  if (step === null || (await takeStep(db, userId, step))) return
  throw new APIError('UNAUTHORIZED', {
    code: 'CODE_USED',
    message: 'The code was used; wait for the next one',
  })
}

export const refuseUsedCodes = (db: Db) =>
  ({
    id: 'used-codes',
    hooks: {
      before: [
        {
          matcher: ({ path }) => path === '/two-factor/verify-totp',
          handler: createAuthMiddleware(ctx => refuseUsed(db, ctx)),
        },
      ],
    },
  }) satisfies BetterAuthPlugin
