import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { auth, takeAuth } from './auth.ts'

export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in methods'],
  queryFn: () => take(api.GET('/sign-in')),
  staleTime: Number.POSITIVE_INFINITY,
})

export type ShownLink = AnswerOf<'/links/{token}', 'get'>

export const linkQuery = (token: string) =>
  queryOptions({
    queryKey: ['link', token],
    queryFn: () => take(api.GET('/links/{token}', { params: { path: { token } } })),
    staleTime: 0,
  })

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async () => {
    const own = await takeAuth(() => auth.getSession())
    const all = await takeAuth(() => auth.listSessions())
    return all
      .map(session => ({ ...session, isHere: session.token === own?.session.token }))
      .sort((one, other) => Number(other.isHere) - Number(one.isHere) || +other.updatedAt - +one.updatedAt)
  },
})

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: () => takeAuth(() => auth.passkey.listUserPasskeys()),
})
