import { APIError, createAuthMiddleware, getSessionFromCtx, isAPIError } from 'better-auth/api'
import type { Db } from '../core/db/db.ts'
import { foldEmail } from '../core/email.ts'
import { newId } from '../core/ids.ts'
import { type AttemptSubject, forgetAttempts, spendAttempts, takeBackAttempts } from './attempts.ts'
import { hashToken } from './hashed-tokens.ts'
import { addressHeader } from './headers.ts'

const tooMany = (wait: number) =>
  new APIError(
    'TOO_MANY_REQUESTS',
    { code: 'TOO_MANY_ATTEMPTS', message: `Too many wrong attempts; try again in ${wait} seconds` },
    { 'retry-after': String(wait) },
  )

const signInPath = '/sign-in/email'

/** Operations in which a signed-in person enters the password again. */
const confirmingPaths = [
  '/change-password',
  '/verify-password',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/get-totp-uri',
  '/two-factor/generate-backup-codes',
]

type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

/** The account a sign-in attempt is for; null if the request has no password. */
async function findAccount(ctx: Context): Promise<string | null> {
  if (ctx.path === signInPath) return foldEmail(String(ctx.body?.email ?? '').slice(0, 254))
  if (!confirmingPaths.includes(ctx.path)) return null
  const session = await getSessionFromCtx(ctx)
  return session && foldEmail(session.user.email)
}

/** A form with another mistake does not count as a wrong password. */
const isWrong = (answer: unknown): boolean =>
  isAPIError(answer) && /^INVALID_(EMAIL_OR_)?PASSWORD$/.test(String(answer.body?.code))

/** A signed cookie `account.id`, which says that this browser has signed in to this account before. */
const cookieOf = (ctx: Context) =>
  ctx.context.createAuthCookie('known_browser', { maxAge: 365 * 86_400, sameSite: 'lax' })

const accountIn = (email: string): string => hashToken(email.toLowerCase())

async function findKnownBrowser(ctx: Context, email: string): Promise<string | null> {
  const value = await ctx.getSignedCookie(cookieOf(ctx).name, ctx.context.secret)
  return value && value.split('.')[0] === accountIn(email) ? value : null
}

async function keepBrowser(ctx: Context, email: string): Promise<void> {
  const { name, attributes } = cookieOf(ctx)
  await ctx.setSignedCookie(name, `${accountIn(email)}.${newId()}`, ctx.context.secret, attributes)
}

/** Attempts by strangers do not affect a browser that has signed in to this account before. */
async function listSubjects(ctx: Context, email: string): Promise<AttemptSubject[]> {
  const browser = await findKnownBrowser(ctx, email)
  if (browser) return [['browser', browser]]
  const address = ctx.headers?.get(addressHeader) ?? ''
  return [
    ['pair', email, address],
    ['address', address],
    ['account', email],
  ]
}

interface Try {
  email: string
  subjects: AttemptSubject[]
  isLast: boolean
}

interface Deps {
  db: Db
  /** Called when an account is blocked for a while after too many wrong passwords. */
  onLock(email: string): Promise<void>
}

/** Slows down password guessing, whether or not the account exists. */
export function throttleSignIn({ db, onLock }: Deps) {
  const underWay = new WeakMap<object, Try>()
  const before = createAuthMiddleware(async ctx => {
    const email = await findAccount(ctx)
    if (email === null) return
    const subjects = await listSubjects(ctx, email)
    const { wait, isLast } = await spendAttempts(db, subjects)
    if (wait) throw tooMany(wait)
    underWay.set(ctx.context, { email, subjects, isLast })
  })
  const after = createAuthMiddleware(async ctx => {
    const made = underWay.get(ctx.context)
    if (!made) return
    const { email, subjects, isLast } = made
    const { returned } = ctx.context
    if (isWrong(returned)) return isLast ? onLock(email) : undefined
    await takeBackAttempts(db, subjects)
    if (isAPIError(returned)) return
    await forgetAttempts(db, subjects[0]!)
    if (ctx.path === signInPath) await keepBrowser(ctx, email)
  })
  return { before, after }
}
