import { type createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'

export type ChallengeContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

/** The user who has entered the password and is asked for a code; null otherwise. */
export async function findAskedUserId(ctx: ChallengeContext): Promise<string | null> {
  const { name } = ctx.context.createAuthCookie('two_factor')
  const token = await ctx.getSignedCookie(name, ctx.context.secret)
  const found = token ? await ctx.context.internalAdapter.findVerificationValue(token) : null
  return found?.value ?? null
}

/** The user who is signed in or asked for a code. */
export const findUserId = async (ctx: ChallengeContext): Promise<string | null> =>
  (await getSessionFromCtx(ctx))?.user.id ?? findAskedUserId(ctx)
