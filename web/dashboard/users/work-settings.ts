import { api, take } from '../core/api.ts'
import { queryClient, useChange } from '../core/query.ts'
import { type Me, meQuery, useMe } from './me.ts'

/** Ways to send a reply. */
export const sendWays = ['send', 'next', 'close', 'leave', 'snooze', 'later'] as const
export type SendWay = (typeof sendWays)[number]

export const destinations = ['stay', 'next', 'list'] as const
export type Destination = (typeof destinations)[number]

/** How a person works through tickets. It is stored in the account. */
export interface WorkSettings {
  /** What opens after a ticket was answered or closed. */
  after_done: Destination
  /** Whether this also applies to other changes that remove the open ticket from the list. */
  advances: boolean
  /** What the button to send does; null if it just sends. */
  send_way: SendWay | null
}

const first: WorkSettings = { after_done: 'stay', advances: false, send_way: null }

const settingsOf = (me: Me | undefined): WorkSettings => ({
  ...first,
  ...(me?.user.settings.work as Partial<WorkSettings> | undefined),
})

export const readWorkSettings = (): WorkSettings => settingsOf(queryClient.getQueryData(meQuery.queryKey))
export const useWorkSettings = (): WorkSettings => settingsOf(useMe())

export function useSaveWorkSettings() {
  return useChange({
    send: (change: Partial<WorkSettings>) =>
      take(api.PATCH('/me', { body: { settings: { work: { ...readWorkSettings(), ...change } } } })),
    expect: [
      {
        key: meQuery.queryKey,
        next: (me: Me, change: Partial<WorkSettings>) => {
          const settings = { ...me.user.settings, work: { ...settingsOf(me), ...change } }
          return { ...me, user: { ...me.user, settings } }
        },
      },
    ],
    refresh: [meQuery.queryKey],
  })
}
