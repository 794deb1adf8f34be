import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { auth, takeAuth } from './auth.ts'
import { userKeys } from './query-keys.ts'

export const signInMethodsQuery = queryOptions({
  queryKey: userKeys.signInMethods(),
  queryFn: () => take(api.GET('/sign-in')),
  staleTime: Number.POSITIVE_INFINITY,
})

export type ShownLink = AnswerOf<'/links/{token}', 'get'>

export const linkQuery = (token: string) =>
  queryOptions({
    queryKey: userKeys.link(token),
    queryFn: () => take(api.GET('/links/{token}', { params: { path: { token } } })),
    staleTime: 0,
  })

export const sessionsQuery = queryOptions({
  queryKey: userKeys.sessions(),
  queryFn: async () => {
    const { items } = await take(api.GET('/me/sessions'))
    return items.toSorted((one, other) => Number(other.is_current) - Number(one.is_current))
  },
})

/** The ways in which one can sign in: a password, or an account at the provider. */
export const loginsQuery = queryOptions({
  queryKey: userKeys.logins(),
  queryFn: () => takeAuth(() => auth.listAccounts()),
})

export const passkeysQuery = queryOptions({
  queryKey: userKeys.passkeys(),
  queryFn: () => takeAuth(() => auth.passkey.listUserPasskeys()),
})

/** How many are left; the codes themselves are shown only once. */
export const recoveryCodesQuery = queryOptions({
  queryKey: userKeys.recoveryCodes(),
  queryFn: () => takeAuth(() => auth.$fetch<{ left: number }>('/two-factor/recovery-codes')),
})
