import { useQueryClient } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { queryClient, useChange } from '../core/query.ts'
import { type Me, meQuery, useMe } from '../users/me.ts'

/**
 * What a person wants to be notified of, and how. It is stored in the account; each browser asks for its own
 * permission.
 */
export interface NotificationChoice {
  mine: boolean
  unassigned: boolean
  mentions: boolean
  shows: boolean
  sounds: boolean
  assigned_by_email: boolean
  mentioned_by_email: boolean
  waiting_by_email: boolean
}

const first: NotificationChoice = {
  mine: true,
  unassigned: false,
  mentions: true,
  shows: false,
  sounds: false,
  assigned_by_email: true,
  mentioned_by_email: true,
  waiting_by_email: true,
}

const choiceOf = (me: Me | undefined): NotificationChoice => ({
  ...first,
  ...(me?.user.settings.notifications as Partial<NotificationChoice> | undefined),
})

export const readChoice = (): NotificationChoice => choiceOf(queryClient.getQueryData(meQuery.queryKey))
export const useChoice = (): NotificationChoice => choiceOf(useMe())

export function useChoose() {
  const client = useQueryClient()
  const before = useChoice()
  return useChange({
    send: (change: Partial<NotificationChoice>) =>
      take(api.PATCH('/me', { body: { settings: { notifications: { ...before, ...change } } } })),
    expect: [
      {
        key: meQuery.queryKey,
        next: ({ user, ...rest }: Me, change: Partial<NotificationChoice>) => ({
          ...rest,
          user: { ...user, settings: { ...user.settings, notifications: { ...before, ...change } } },
        }),
      },
    ],
    onDone: me => client.setQueryData(meQuery.queryKey, me),
  })
}
