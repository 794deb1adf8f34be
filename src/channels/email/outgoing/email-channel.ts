import type { Config } from '../../../core/config.ts'
import type { Sql } from '../../../core/db.ts'
import { within } from '../../../core/in-time.ts'
import {
  type Account,
  countLeased,
  type OutgoingChannel,
  type SendingLimits,
  startSending,
} from '../../../outgoing/outgoing.ts'
import type { FetchedMailbox } from '../mailboxes/mailbox.ts'
import { measureSending } from './outgoing-metrics.ts'
import { findOutgoing, updateSaved } from './outgoing-queries.ts'
import type { SendDeps } from './send-deps.ts'
import { sendEmail } from './send-email.ts'
import { countRecentlySent, lockSender } from './sending-queries.ts'
import { saveInSent } from './sent-folder.ts'
import { createSessions } from './sessions.ts'
import { openBytes } from './store-email.ts'

/** Sends the emails of all mailboxes, in a process with the role `channels`. */

export type EmailSendingDeps = Pick<SendDeps, 'db' | 'vault' | 'log' | 'storages' | 'mayReach'> & {
  config: Pick<Config, 'smtpUrl' | 'publicUrl'>
}

/** Shorter times for tests. */
export interface SendingTimes extends Pick<SendDeps, 'pauses' | 'uncertainMs' | 'timeouts'> {
  limits?: SendingLimits
  idleMs?: number
}

/** The maximum number of connections of a mailbox, in all processes together. */
const maxConnections = 2

/** Milliseconds that a stop waits for copies in Sent folders. A copy that is not stored is not an error. */
const savingMs = 5_000

async function mayUse(sql: Sql, account: Account): Promise<boolean> {
  const sender = await lockSender(sql, account)
  // Emails of a removed mailbox are claimed, so that they are cancelled.
  if (!sender) return true
  if (sender.is_held) return false
  const running = await countLeased(sql, account)
  if (running >= maxConnections) return false
  return (await countRecentlySent(sql, account)) + running < sender.send_rate
}

function createSaving(deps: EmailSendingDeps) {
  const { db, log, storages } = deps
  const running = new Set<Promise<void>>()

  async function save(mailbox: FetchedMailbox, messageId: string, mailId: string): Promise<void> {
    const row = await findOutgoing(db, mailbox.project_id, messageId)
    if (!row?.storage_key) return
    const bytes = { ...row, size: row.size ?? 0 }
    const read = async () => Buffer.concat(await (await openBytes(storages, bytes)).toArray())
    const isSaved = await saveInSent(deps, mailbox, mailId, read)
    await updateSaved(db, mailbox.project_id, messageId, isSaved)
  }

  return {
    running,
    saveCopy(mailbox: FetchedMailbox, messageId: string, mailId: string): void {
      if (!mailbox.saves_sent || !mailbox.imap) return
      const work = save(mailbox, messageId, mailId)
        .catch(async error => {
          log.warn({ err: error, mailbox: mailbox.address }, 'Could not store a copy in the Sent folder')
          await updateSaved(db, mailbox.project_id, messageId, false).catch(() => {})
        })
        .finally(() => running.delete(work))
      running.add(work)
    },
  }
}

export function startSendingEmail(
  deps: EmailSendingDeps,
  { limits, idleMs, ...times }: SendingTimes = {},
): { stop(): Promise<void> } {
  const { db, config, vault } = deps
  const sessions = createSessions(idleMs)
  const saving = createSaving(deps)
  const slow = new Set<string>()
  const shared = {
    ...{ ...deps, ...times, sessions, saveCopy: saving.saveCopy },
    ...{ smtpUrl: config.smtpUrl, publicUrl: config.publicUrl, key: vault.derive('mail') },
    onBroken: ({ id }: FetchedMailbox) => void slow.add(id),
    onWorking: ({ id }: FetchedMailbox) => void slow.delete(id),
  }
  const channel: OutgoingChannel = {
    lockAccount: mayUse,
    isSlow: ({ account_id }) => slow.has(account_id),
    send: (claimed, stopping) => sendEmail({ ...shared, stopping }, claimed),
  }
  const sending = startSending({ ...deps, channel }, limits)
  const unmeasure = measureSending(db)
  return {
    async stop() {
      await sending.stop()
      unmeasure()
      sessions.close()
      await within<unknown>(savingMs, Promise.all(saving.running), () => {})
    },
  }
}
