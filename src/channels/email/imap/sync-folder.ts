import type { ImapFlow } from 'imapflow'
import { codeOf } from '../../../core/thrown.ts'
import { now } from '../../../core/time.ts'
import { transact } from '../../../events/transaction.ts'
import { type MailOrigin, SourceError, type StoreDeps, storeUnreadable } from '../incoming/store.ts'
import { MailboxError } from '../mailboxes/failure.ts'
import {
  type CursorMove,
  type FolderKey,
  type FolderRow,
  updateCursor,
  updateFailedUid,
} from '../mailboxes/folder-queries.ts'
import type { FetchedMailbox } from '../mailboxes/mailbox.ts'
import { fetchMail, type ListedMessage } from './fetch-mail.ts'
import { listFolderMessages, type UidWindow } from './list-messages.ts'

/** Fetches new email from the open folder, or a batch of its older email. */

export interface SyncDeps extends StoreDeps {
  client: ImapFlow
  mailbox: FetchedMailbox
  stopping: AbortSignal
  /** Called after each stored email. */
  onFetched(receivedAt: Date | null): void
}

const maxTries = 3

/** The number of UIDs in a listing. It doubles while listings are empty. */
const firstWindow = 500

const keyOf = ({ mailbox }: SyncDeps, { path }: Pick<FolderRow, 'path'>): FolderKey => ({
  project_id: mailbox.project_id,
  mailbox_id: mailbox.id,
  path,
})

const afterDays = ({ after_fetch, after_fetch_days }: FetchedMailbox): number | null =>
  after_fetch === 'leave' ? null : after_fetch === 'delete' ? after_fetch_days : 0

function originOf(
  deps: SyncDeps,
  folder: FolderRow,
  { uid, receivedAt }: ListedMessage,
  isImport: boolean,
): MailOrigin {
  const { mailbox } = deps
  const move: CursorMove = { uidValidity: folder.uid_validity, next: uid + 1, isImport }
  return {
    project_id: mailbox.project_id,
    mailbox_id: mailbox.id,
    source: isImport && !folder.is_renumbered ? 'import' : 'imap',
    received_at: receivedAt?.toISOString() ?? `${now()}Z`,
    fetched: {
      folder: keyOf(deps, folder),
      uid,
      move,
      isRenumbered: isImport && folder.is_renumbered,
      afterDays: afterDays(mailbox),
    },
  }
}

/** Deskbell's own storage or database failed. */
const ownFault = (error: unknown): MailboxError =>
  new MailboxError({ code: 'storage', values: { reason: codeOf(error) } }, error)

/** Some servers close the connection when they cannot read an email. */
const cutOff = ({ mailbox }: SyncDeps, error: SourceError): MailboxError =>
  new MailboxError({ code: 'mail_cut_off', values: { host: mailbox.imap!.host } }, error)

/** After three failed attempts, an email is skipped and recorded in the log. */
async function tryToFetch(deps: SyncDeps, folder: FolderRow, message: ListedMessage, isImport: boolean) {
  const origin = originOf(deps, folder, message, isImport)
  try {
    const id = await fetchMail(deps.client, deps, origin, message)
    if (id && !isImport) deps.onFetched(message.receivedAt)
    return true
  } catch (error) {
    if (!(error instanceof SourceError)) throw ownFault(error)
    if (deps.stopping.aborted) throw error.cause
    const isLast = (await updateFailedUid(deps.db, keyOf(deps, folder), message.uid)) >= maxTries
    if (isLast) await storeUnreadable(deps, origin, message.size, error.message.slice(0, 500))
    if (!deps.client.usable) throw cutOff(deps, error)
    return isLast
  }
}

async function fetchListed(deps: SyncDeps, folder: FolderRow, message: ListedMessage, isImport: boolean) {
  while (!(await tryToFetch(deps, folder, message, isImport)));
}

/** Every UID below this one has been processed. */
const moveTo = (deps: SyncDeps, folder: FolderRow, next: number, isImport: boolean) =>
  transact(deps.db, deps.mailbox.project_id, tx =>
    updateCursor(tx, keyOf(deps, folder), { uidValidity: folder.uid_validity, next, isImport }),
  )

/** Fetches a window's emails and returns the start of the next window; null after the last one or when stopped. */
async function fetchWindow(
  deps: SyncDeps,
  folder: FolderRow,
  window: UidWindow,
  isImport: boolean,
): Promise<{ next: number | null; count: number }> {
  const since = isImport && folder.import_since ? new Date(`${folder.import_since}Z`) : null
  const isRenumbered = isImport && folder.is_renumbered
  const { messages, isCut } = await listFolderMessages(deps.client, window, { since, isRenumbered })
  for (const message of messages) {
    if (deps.stopping.aborted) return { next: null, count: messages.length }
    await fetchListed(deps, folder, message, isImport)
  }
  const next = isCut ? messages.at(-1)!.uid + 1 : window.last === null ? null : window.last + 1
  if (next !== null && !isCut) await moveTo(deps, folder, next, isImport)
  return { next, count: messages.length }
}

/** Fetches up to the folder's end at the time it was opened, in windows, then what has arrived since. */
export async function fetchNew(deps: SyncDeps, folder: FolderRow, uidNext: number): Promise<void> {
  let first: number | null = folder.next_uid
  let width = firstWindow
  while (first !== null && uidNext - first > firstWindow && !deps.stopping.aborted) {
    const last: number = Math.min(first + width, uidNext) - 1
    const { next, count }: { next: number | null; count: number } = await fetchWindow(
      deps,
      folder,
      { first, last },
      false,
    )
    first = next
    width = count ? firstWindow : width * 2
  }
  while (first !== null && !deps.stopping.aborted)
    first = (await fetchWindow(deps, folder, { first, last: null }, false)).next
}

/** Fetches a batch of older email. Returns whether there is more. */
export async function fetchOlder(deps: SyncDeps, folder: FolderRow): Promise<boolean> {
  const end = folder.import_end_uid ?? 0
  let first: number | null = folder.import_next_uid
  let width = firstWindow
  while (first !== null && first < end && !deps.stopping.aborted) {
    const last: number = Math.min(first + width, end) - 1
    const { next, count }: { next: number | null; count: number } = await fetchWindow(
      deps,
      folder,
      { first, last },
      true,
    )
    if (count) return true
    first = next
    width *= 2
  }
  return false
}
