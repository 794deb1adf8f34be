import { setTimeout as pause } from 'node:timers/promises'
import { within } from '../../../core/async/in-time.ts'
import type { Db } from '../../../core/db/db.ts'
import type { Log } from '../../../core/telemetry/log.ts'
import type { Storages } from '../../../media/media.ts'
import type { ImapDeps } from '../imap/imap-client.ts'
import type { FetchedMailbox } from '../mailboxes/mailbox.ts'
import { findFetchedMailbox } from '../mailboxes/queries.ts'
import { findOutgoing, lockDueCopies, type SentCopy, updateSaved } from './outgoing-queries.ts'
import { saveInSent } from './sent-folder.ts'
import { openBytes } from './store-email.ts'

/** Stores copies of sent emails in Sent folders in the background, and tries again later if that fails. */

export type SentCopyDeps = ImapDeps & { db: Db; log: Log; storages: Storages }

/** Milliseconds between checks for copies that are still missing, because their process has ended or the server did not respond. */
const usualCheckMs = 60_000

/** Milliseconds that stopping waits for running copies. Another process stores the rest. */
const stopMs = 5_000

/** The maximum number of copies per mailbox that wait in this process. */
const maxWaiting = 100

export const keepsSentCopies = ({ saves_sent, imap }: FetchedMailbox): boolean => saves_sent && imap !== null

async function save(deps: SentCopyDeps, { project_id, message_id }: SentCopy): Promise<void> {
  const { db, storages } = deps
  const row = await findOutgoing(db, project_id, message_id)
  const mailbox = row?.mailbox_id ? await findFetchedMailbox(db, project_id, row.mailbox_id) : null
  if (!row?.storage_key || !mailbox || !keepsSentCopies(mailbox))
    return void (await updateSaved(db, project_id, message_id, false))
  const read = async () => Buffer.concat(await (await openBytes(storages, row)).toArray())
  const isSaved = await saveInSent(deps, mailbox, row.email?.message_id ?? '', read)
  await updateSaved(db, project_id, message_id, isSaved)
}

/** Stores the copies of each mailbox one after another, because providers allow few connections, and fetching needs them too. */
function createCopyQueues(deps: SentCopyDeps, stopping: AbortSignal) {
  const queues = new Map<string, SentCopy[]>()
  const running = new Set<Promise<void>>()

  async function saveAll(key: string, copies: SentCopy[]): Promise<void> {
    for (let copy = copies.shift(); copy && !stopping.aborted; copy = copies.shift()) {
      const { message_id: message } = copy
      await save(deps, copy).catch(error =>
        deps.log.warn({ err: error, message }, 'Could not store a copy in Sent; will retry'),
      )
    }
    queues.delete(key)
  }

  function add(copy: SentCopy): void {
    const key = copy.mailbox_id ?? ''
    const waiting = queues.get(key)
    // If too many are waiting, the copy is stored later, like the copies of a process that has ended.
    if (waiting) return void (waiting.length < maxWaiting && waiting.push(copy))
    const copies = [copy]
    queues.set(key, copies)
    const work = saveAll(key, copies).finally(() => running.delete(work))
    running.add(work)
  }

  return { add, running }
}

export function startSentCopies(deps: SentCopyDeps, checkMs = usualCheckMs) {
  const { db, log } = deps
  const stopping = new AbortController()
  const { add, running } = createCopyQueues(deps, stopping.signal)

  async function follow(): Promise<void> {
    const { signal } = stopping
    while (!signal.aborted) {
      try {
        for (const copy of await lockDueCopies(db)) add(copy)
      } catch (error) {
        log.error({ err: error }, 'Could not look for copies to store in Sent; will retry')
      }
      await pause(checkMs, null, { signal }).catch(() => {})
    }
  }

  const following = follow()
  return {
    saveCopy: add,
    async stop(): Promise<void> {
      stopping.abort()
      await within<unknown>(stopMs, Promise.all([following, ...running]), () => {})
    },
  }
}
