import { useQueryClient } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { queryClient, useChange } from '../core/query.ts'
import { type Me, meQuery, useMe } from '../users/me.ts'

/** What somebody wants to be told of, and how. It goes with the account; whether the browser may is asked in each. */
export interface Choice {
  mine: boolean
  unassigned: boolean
  mentions: boolean
  shows: boolean
  sounds: boolean
}

const first: Choice = { mine: true, unassigned: false, mentions: true, shows: false, sounds: false }

const choiceOf = (me: Me | undefined): Choice => ({
  ...first,
  ...(me?.user.settings.notifications as Partial<Choice> | undefined),
})

export const readChoice = (): Choice => choiceOf(queryClient.getQueryData(meQuery.queryKey))
export const useChoice = (): Choice => choiceOf(useMe())

export function useChoose() {
  const client = useQueryClient()
  const before = useChoice()
  return useChange({
    send: (change: Partial<Choice>) =>
      take(api.PATCH('/me', { body: { settings: { notifications: { ...before, ...change } } } })),
    expect: [
      {
        key: meQuery.queryKey,
        next: ({ user, ...rest }: Me, change: Partial<Choice>) => ({
          ...rest,
          user: { ...user, settings: { ...user.settings, notifications: { ...before, ...change } } },
        }),
      },
    ],
    onDone: me => client.setQueryData(meQuery.queryKey, me),
  })
}
