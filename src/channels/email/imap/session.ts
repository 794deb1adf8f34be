import type { ImapFlow } from 'imapflow'
import { within } from '../../../core/async/in-time.ts'
import type { Storages } from '../../../media/media.ts'
import { updateAccountOk } from '../../accounts/lease-queries.ts'
import { type FolderRow, findFolder, updateImportDone } from '../mailboxes/folder-queries.ts'
import type { FetchedMailbox } from '../mailboxes/mailbox.ts'
import { mailboxTable } from '../mailboxes/queries.ts'
import { finishFetched } from './after-fetch.ts'
import { type ImapDeps, maxIdleMs, openImap } from './imap-client.ts'
import { openFolder } from './open-folder.ts'
import { fetchNew, fetchOlder, type SyncDeps } from './sync-folder.ts'

/** One connection to a mailbox: fetches new email, then waits for more. */

export interface SessionDeps extends ImapDeps {
  storages: Storages
  stopping: AbortSignal
  onFetched(receivedAt: Date | null): void
}

/** Milliseconds between checks. Some servers do not report every new email during IDLE. */
const pollMs = 60_000

const logoutTimeoutMs = 3_000

interface OpenSession extends SyncDeps {
  /** When the folders were last opened, by performance.now(). */
  openedAt: number
}

const lost = (): Error =>
  Object.assign(new Error('The server has closed the connection'), { code: 'ECONNRESET' })

/** Returns whether there is more older email. */
async function fetchFolder(session: OpenSession, folder: FolderRow, uidNext: number): Promise<boolean> {
  const { client, mailbox, db } = session
  await fetchNew(session, folder, uidNext)
  const hasMore = folder.import_next_uid !== null && (await fetchOlder(session, folder))
  const key = { project_id: mailbox.project_id, mailbox_id: mailbox.id, path: folder.path }
  if (folder.import_next_uid !== null && !hasMore && !session.stopping.aborted)
    await updateImportDone(db, key, folder.uid_validity)
  await finishFetched(db, client, mailbox, folder)
  return hasMore
}

const isDueToOpen = ({ openedAt, mailbox }: OpenSession): boolean =>
  mailbox.folders.length > 1 || performance.now() - openedAt > maxIdleMs

/** Reopening a folder shows whether its UIDVALIDITY changed. */
async function fetchAll(session: OpenSession): Promise<boolean> {
  const { db, client, mailbox } = session
  if (!isDueToOpen(session)) {
    const [path = ''] = mailbox.folders
    const folder = await findFolder(db, { project_id: mailbox.project_id, mailbox_id: mailbox.id, path })
    if (folder) return fetchFolder(session, folder, 0)
  }
  session.openedAt = performance.now()
  let hasMore = false
  // The first folder is opened last, because IDLE watches the open folder.
  for (const path of mailbox.folders.toReversed()) {
    const { folder, uidNext } = await openFolder(db, client, mailbox, path)
    hasMore = (await fetchFolder(session, folder, uidNext)) || hasMore
  }
  return hasMore
}

/** Tracks whether the server has reported new email. */
function watchNews(client: ImapFlow, stopping: AbortSignal) {
  let isNew = false
  let wake = () => {}
  client.on('exists', () => {
    isNew = true
    wake()
  })
  client.on('close', () => wake())
  stopping.addEventListener('abort', () => wake())
  return {
    begin: () => {
      isNew = false
    },
    /** Waits for new email, the end of the connection, the next check or the stop. Returns whether new email was reported. */
    async wait(): Promise<boolean> {
      if (isNew || stopping.aborted || !client.usable) return isNew
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      const timer = setTimeout(resolve, pollMs)
      void client.idle().catch(() => {})
      await promise
      clearTimeout(timer)
      return isNew
    },
  }
}

async function follow(session: OpenSession): Promise<void> {
  const { client, mailbox, db, stopping } = session
  const news = watchNews(client, stopping)
  while (!stopping.aborted) {
    news.begin()
    const hasMore = await fetchAll(session)
    await updateAccountOk(db, mailboxTable, mailbox)
    if (hasMore) continue
    const isNew = await news.wait()
    if (stopping.aborted) return
    if (!client.usable) throw lost()
    if (!isNew) await client.noop()
  }
}

async function close(client: ImapFlow): Promise<void> {
  if (client.usable)
    await within(
      logoutTimeoutMs,
      client.logout().catch(() => {}),
      () => {},
    )
  client.close()
}

/** Runs until stopped. Rejects when the connection fails. */
export async function runSession(deps: SessionDeps, mailbox: FetchedMailbox): Promise<void> {
  const client = await openImap(deps, mailbox)
  try {
    const { db, storages, stopping, onFetched } = deps
    const openedAt = Number.NEGATIVE_INFINITY
    await follow({ db, storages, stopping, onFetched, client, mailbox, openedAt })
  } finally {
    await close(client)
  }
}
