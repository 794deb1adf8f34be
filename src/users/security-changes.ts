import type { BetterAuthPlugin } from 'better-auth'
import { createAuthMiddleware, getSessionFromCtx, isAPIError } from 'better-auth/api'

/** Deskbell mails the person about each of these changes, in case somebody else made it. */
export type SecurityChange =
  | 'password_changed'
  | 'password_reset'
  | 'second_step_off'
  | 'passkey_added'
  | 'passkey_removed'
  | 'recovery_code_used'

const changes: Record<string, SecurityChange> = {
  '/change-password': 'password_changed',
  '/two-factor/disable': 'second_step_off',
  '/passkey/verify-registration': 'passkey_added',
  '/passkey/delete-passkey': 'passkey_removed',
  '/two-factor/verify-backup-code': 'recovery_code_used',
}

export type OnSecurityChange = (email: string, change: SecurityChange) => void

export const securityChanges = (onChange: OnSecurityChange) =>
  ({
    id: 'security-changes',
    hooks: {
      after: [
        {
          matcher: ({ path }) => path !== undefined && path in changes,
          handler: createAuthMiddleware(async ctx => {
            if (isAPIError(ctx.context.returned)) return
            const { user } = ctx.context.newSession ?? (await getSessionFromCtx(ctx)) ?? {}
            if (user) onChange(user.email, changes[ctx.path]!)
          }),
        },
      ],
    },
  }) satisfies BetterAuthPlugin
