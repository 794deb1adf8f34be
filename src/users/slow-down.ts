import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import type { Db } from '../core/db.ts'
import { countAttempt, forgetAttempts, takeBackAttempt } from './attempts.ts'
import { addressHeader } from './headers.ts'

const tooMany = (wait: number) =>
  new APIError(
    'TOO_MANY_REQUESTS',
    { code: 'TOO_MANY_ATTEMPTS', message: `Too many wrong attempts; try again in ${wait} seconds` },
    { 'retry-after': String(wait) },
  )

const signInPath = '/sign-in/email'

/** Where somebody who is signed in gives the password once more. */
const confirmingPaths = [
  '/change-password',
  '/verify-password',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/get-totp-uri',
  '/two-factor/generate-backup-codes',
]

type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

/** Whose password is given; null where none is. */
async function findAccount(ctx: Context): Promise<string | null> {
  if (ctx.path === signInPath) return String(ctx.body?.email ?? '').slice(0, 254)
  if (!confirmingPaths.includes(ctx.path)) return null
  return (await getSessionFromCtx(ctx))?.user.email ?? null
}

/** A form that is wrong otherwise is no guess. */
const isWrong = (answer: unknown): boolean =>
  answer instanceof APIError && /^INVALID_(EMAIL_OR_)?PASSWORD$/.test(String(answer.body?.code))

interface Try {
  email: string
  address: string
  isLast: boolean
}

async function begin(db: Db, email: string, address: string): Promise<Try> {
  const byAddress = await countAttempt(db, 'address', address)
  if (byAddress.wait) throw tooMany(byAddress.wait)
  const byAccount = await countAttempt(db, 'account', email)
  if (!byAccount.wait) return { email, address, isLast: byAccount.isLast }
  await takeBackAttempt(db, 'address', address)
  throw tooMany(byAccount.wait)
}

interface Deps {
  db: Db
  /** Somebody gave so many wrong passwords for this account that it is closed for a while. */
  onLock(email: string): Promise<void>
}

/** Slows down whoever guesses passwords, whether the account exists or not. */
export function slowDown({ db, onLock }: Deps) {
  const underWay = new WeakMap<object, Try>()
  const before = createAuthMiddleware(async ctx => {
    const email = await findAccount(ctx)
    const address = ctx.headers?.get(addressHeader) ?? ''
    if (email !== null) underWay.set(ctx.context, await begin(db, email, address))
  })
  const after = createAuthMiddleware(async ctx => {
    const made = underWay.get(ctx.context)
    if (!made) return
    const { email, address, isLast } = made
    const { returned } = ctx.context
    if (isWrong(returned)) return isLast ? onLock(email) : undefined
    if (returned instanceof APIError) await takeBackAttempt(db, 'account', email)
    else await forgetAttempts(db, 'account', email)
    await takeBackAttempt(db, 'address', address)
  })
  return { before, after }
}
