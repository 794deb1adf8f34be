import type { DueKind } from '../core/due/due-work.ts'
import {
  notifyOutgoingEmail,
  notifyOutgoingTelegram,
  onOutgoingEmail,
  onOutgoingTelegram,
} from '../events/notifier.ts'

/** How a channel's worker learns about queued messages: through due work and notifications. */

export type OutgoingName = 'email' | 'telegram'

/** The messages of custom channels wait for programs outside Deskbell, so they have no worker. */
export type QueuedName = OutgoingName | 'custom'

interface OutgoingSignals {
  kind: DueKind
  /** Tells the channel's workers in all processes that an account has messages. */
  notify(projectId: string, accountId: string): void
  on(listener: (projectId: string, accountId: string) => void): () => void
}

/** Each channel has its own worker. */
export const outgoingSignals: Record<OutgoingName, OutgoingSignals> = {
  email: { kind: 'outgoing', notify: notifyOutgoingEmail, on: onOutgoingEmail },
  telegram: { kind: 'outgoing_telegram', notify: notifyOutgoingTelegram, on: onOutgoingTelegram },
}
