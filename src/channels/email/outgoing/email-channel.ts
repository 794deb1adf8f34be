import type { Config } from '../../../core/config/config.ts'
import type { Sql } from '../../../core/db/db.ts'
import {
  type Account,
  countLeased,
  type OutgoingChannel,
  type SendingLimits,
  startSending,
} from '../../../outgoing/outgoing.ts'
import type { FetchedMailbox } from '../mailboxes/mailbox.ts'
import type { SendDeps } from './send-deps.ts'
import { sendEmail } from './send-email.ts'
import { countRecentlySent, heldMailboxes, lockSender } from './sending-queries.ts'
import { startSentCopies } from './sent-copies.ts'
import { createSessions } from './sessions.ts'

/** Sends the emails of all mailboxes, in a process with the role `channels`. */

export type EmailSendingDeps = Pick<SendDeps, 'db' | 'vault' | 'log' | 'storages' | 'mayReach'> & {
  config: Pick<Config, 'smtpUrl' | 'publicUrl'>
}

/** Shorter times for tests. */
export interface SendingTimes extends Pick<SendDeps, 'pauses' | 'uncertainMs' | 'timeouts'> {
  limits?: SendingLimits
  idleMs?: number
  /** Milliseconds between checks for copies that are missing in Sent. */
  copiesMs?: number
}

/** The maximum number of connections of a mailbox, in all processes together. */
const maxConnections = 2

async function lockMailboxFor(sql: Sql, account: Account): Promise<number> {
  const sender = await lockSender(sql, account)
  // Emails of a removed mailbox are claimed, so that they are cancelled.
  if (!sender) return maxConnections
  if (sender.is_held) return 0
  const running = await countLeased(sql, account)
  if (running >= maxConnections) return 0
  const recent = await countRecentlySent(sql, account)
  return Math.min(maxConnections, sender.send_rate - recent) - running
}

export function startSendingEmail(
  deps: EmailSendingDeps,
  { limits, idleMs, copiesMs, ...times }: SendingTimes = {},
): { stop(): Promise<void> } {
  const { config, vault } = deps
  const sessions = createSessions(idleMs)
  const saving = startSentCopies(deps, copiesMs)
  const slow = new Set<string>()
  const shared = {
    ...{ ...deps, ...times, sessions, saveCopy: saving.saveCopy },
    ...{ smtpUrl: config.smtpUrl, publicUrl: config.publicUrl, key: vault.derive('mail') },
    onBroken: ({ id }: FetchedMailbox) => void slow.add(id),
    onWorking: ({ id }: FetchedMailbox) => void slow.delete(id),
  }
  const channel: OutgoingChannel = {
    name: 'email',
    lockAccount: lockMailboxFor,
    held: heldMailboxes,
    isSlow: ({ account_id }) => slow.has(account_id),
    send: (claimed, stopping) => sendEmail({ ...shared, stopping }, claimed),
  }
  const sending = startSending({ ...deps, channel }, limits)
  return {
    async stop() {
      await sending.stop()
      sessions.close()
      await saving.stop()
    },
  }
}
