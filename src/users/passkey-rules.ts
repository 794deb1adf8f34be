import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import type { Config } from '../core/config/config.ts'

/** The name in the device's list of passkeys. It distinguishes people who share a computer, and installations. */
const nameAccount = ({ publicUrl }: Pick<Config, 'publicUrl'>) =>
  createAuthMiddleware(async ctx => {
    const session = await getSessionFromCtx(ctx)
    if (!session) return
    const name = `${session.user.email} (${new URL(publicUrl).host})`
    return { context: { query: { ...ctx.query, name } } }
  })

const checkName = createAuthMiddleware(async ctx => {
  const name = ctx.body?.name
  if (typeof name !== 'string' || /^[^\p{Cc}\p{Cs}]{1,100}$/u.test(name)) return
  throw new APIError('BAD_REQUEST', {
    code: 'PASSKEY_NAME_NOT_POSSIBLE',
    message: 'Name the passkey with 1 to 100 characters in one line',
  })
})

/** Names of passkeys: the device shows the person's address, and people can choose a name of their own. */
export const passkeyRules = (config: Pick<Config, 'publicUrl'>) =>
  ({
    id: 'passkey-rules',
    hooks: {
      before: [
        {
          matcher: ({ path }) => path === '/passkey/generate-register-options',
          handler: nameAccount(config),
        },
        {
          matcher: ({ path }) =>
            path === '/passkey/verify-registration' || path === '/passkey/update-passkey',
          handler: checkName,
        },
      ],
    },
  }) satisfies BetterAuthPlugin
