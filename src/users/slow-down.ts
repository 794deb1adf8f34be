import { APIError, createAuthMiddleware } from 'better-auth/api'
import type { Db } from '../core/db.ts'
import { countAttempt, forgetAttempts, takeBackAttempt } from './attempts.ts'
import { addressHeader } from './headers.ts'

const tooMany = (wait: number) =>
  new APIError(
    'TOO_MANY_REQUESTS',
    { code: 'TOO_MANY_ATTEMPTS', message: `Too many wrong attempts; try again in ${wait} seconds` },
    { 'retry-after': String(wait) },
  )

const isSignIn = (path: string | undefined): boolean => path === '/sign-in/email'

interface SignIn {
  email: string
  address: string
  isLast: boolean
}

interface Deps {
  db: Db
  /** Somebody gave so many wrong passwords for this account that it is closed for a while. */
  onLock(email: string): Promise<void>
}

/** Slows down whoever guesses passwords, whether the account exists or not. */
export function slowDown({ db, onLock }: Deps) {
  const underWay = new WeakMap<object, SignIn>()
  const before = createAuthMiddleware(async ctx => {
    if (!isSignIn(ctx.path)) return
    const email = String(ctx.body?.email ?? '').slice(0, 254)
    const address = ctx.headers?.get(addressHeader) ?? ''
    const byAddress = await countAttempt(db, 'address', address)
    if (byAddress.wait) throw tooMany(byAddress.wait)
    const byAccount = await countAttempt(db, 'account', email)
    if (byAccount.wait) {
      await takeBackAttempt(db, 'address', address)
      throw tooMany(byAccount.wait)
    }
    underWay.set(ctx.context, { email, address, isLast: byAccount.isLast })
  })
  const after = createAuthMiddleware(async ctx => {
    const signIn = underWay.get(ctx.context)
    if (!signIn) return
    const { email, address, isLast } = signIn
    if (ctx.context.returned instanceof APIError) {
      if (isLast) await onLock(email)
      return
    }
    await forgetAttempts(db, 'account', email)
    await takeBackAttempt(db, 'address', address)
  })
  return { before, after }
}
