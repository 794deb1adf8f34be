import { api, take } from '../core/api.ts'
import { queryClient, useChange } from '../core/query.ts'
import type { text } from '../core/text.ts'
import { type Me, meQuery, useMe } from '../users/me.ts'

/**
 * What a person wants to be notified of, and how. It is stored in the account; each browser asks for its own
 * permission.
 */
export interface NotificationChoice extends Record<NotificationSwitch, boolean> {
  digest: Digest
  /** `HH:MM` */
  digest_at: string
  digest_timezone: string
}

export type NotificationSwitch = keyof typeof text.notifications.choices

export const digests = ['off', 'hourly', 'daily'] as const
export type Digest = (typeof digests)[number]

const first: NotificationChoice = {
  mine: true,
  unassigned: false,
  mentions: true,
  shows: false,
  sounds: false,
  hides_content: false,
  assigned_by_email: true,
  mentioned_by_email: true,
  waiting_by_email: true,
  digest: 'off',
  digest_at: '09:00',
  digest_timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
}

const choiceOf = (me: Me | undefined): NotificationChoice => ({
  ...first,
  ...(me?.user.settings.notifications as Partial<NotificationChoice> | undefined),
})

export const readChoice = (): NotificationChoice => choiceOf(queryClient.getQueryData(meQuery.queryKey))
export const useChoice = (): NotificationChoice => choiceOf(useMe())

export function useChoose() {
  return useChange({
    send: (change: Partial<NotificationChoice>) =>
      take(api.PATCH('/me', { body: { settings: { notifications: { ...readChoice(), ...change } } } })),
    expect: [
      {
        key: meQuery.queryKey,
        next: (me: Me, change: Partial<NotificationChoice>) => {
          const settings = { ...me.user.settings, notifications: { ...choiceOf(me), ...change } }
          return { ...me, user: { ...me.user, settings } }
        },
      },
    ],
    refresh: [meQuery.queryKey],
  })
}
