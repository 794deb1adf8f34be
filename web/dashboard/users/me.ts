import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import type { AnswerOf } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { keepSession } from '../core/session.ts'
import { userKeys } from './query-keys.ts'

export type Me = AnswerOf<'/me', 'get'>
export type Membership = Me['memberships'][number]

/** The signed-in person and their projects. */
export const meQuery = queryOptions({
  queryKey: userKeys.me(),
  queryFn: async () => {
    const me = await take(api.GET('/me'))
    keepSession()
    return me
  },
  staleTime: 60_000,
})

export const useMe = (): Me => useSuspenseQuery(meQuery).data
