import type { ImapFlow, MailboxObject } from 'imapflow'
import type { Db } from '../../../core/db/db.ts'
import { propertyOf } from '../../../core/objects.ts'
import { MailboxError } from '../mailboxes/failure.ts'
import {
  accountStep,
  type FolderKey,
  type FolderRow,
  findFolder,
  insertFolder,
  type NewFolder,
} from '../mailboxes/folder-queries.ts'
import type { FetchedMailbox } from '../mailboxes/mailbox.ts'
import { findFirstUid } from './list-messages.ts'

/**
 * Opens a folder and determines which existing email is fetched, at the first connection and after UIDVALIDITY or the server
 * changed.
 */

const dayMs = 86_400_000

/** How many days of email are checked for unknown emails after UIDVALIDITY changed. */
const renumberedDays = 30

export interface OpenedFolder {
  folder: FolderRow
  uidNext: number
}

const missingFolder = (path: string): MailboxError =>
  new MailboxError({ code: 'folder_missing', values: { folder: path }, isFinal: true })

async function select(client: ImapFlow, path: string, isReadOnly: boolean): Promise<MailboxObject> {
  try {
    return await client.mailboxOpen(path, { readOnly: isReadOnly })
  } catch (error) {
    const isMissing =
      propertyOf(error, 'serverResponseCode') === 'NONEXISTENT' ||
      /doesn't exist|not exist|unknown mailbox/i.test(String(propertyOf(error, 'responseText')))
    if (propertyOf(error, 'responseStatus') === 'NO' && isMissing) throw missingFolder(path)
    throw error
  }
}

const noOlderMail = { import_next_uid: null, import_end_uid: null, import_since: null, is_renumbered: false }

/** The import range for older email since a time, if there is any. */
async function olderSince(client: ImapFlow, since: Date, uidNext: number, isRenumbered: boolean) {
  const first = await findFirstUid(client, since)
  if (first === null || first >= uidNext) return noOlderMail
  return {
    import_next_uid: first,
    import_end_uid: uidNext,
    import_since: since.toISOString(),
    is_renumbered: isRenumbered,
  }
}

/** At the first connection, `start_from` determines which existing email is fetched. */
async function startFolder(
  client: ImapFlow,
  mailbox: FetchedMailbox,
  uidNext: number,
): Promise<Omit<NewFolder, 'uid_validity'>> {
  const at = new Date()
  if (mailbox.start_from === 'now') return { next_uid: uidNext, start_at: at.toISOString(), ...noOlderMail }
  if (mailbox.start_from === 'days') {
    const since = new Date(at.getTime() - (mailbox.start_days ?? 1) * dayMs)
    const older = await olderSince(client, since, uidNext, false)
    return { next_uid: uidNext, start_at: since.toISOString(), ...older }
  }
  const older = uidNext > 1 ? { import_next_uid: 1, import_end_uid: uidNext } : {}
  return { next_uid: uidNext, start_at: null, ...noOlderMail, ...older }
}

/** The time since which emails may be unknown; null if any email may be. An unfinished import continues. */
function unknownSince({ start_at, import_next_uid, import_since }: FolderRow): Date | null {
  if (import_next_uid !== null) return import_since ? new Date(`${import_since}Z`) : null
  const recent = Date.now() - renumberedDays * dayMs
  const start = start_at ? Math.max(recent, Date.parse(`${start_at}Z`)) : recent
  // Servers give the time of arrival in whole seconds.
  return new Date(Math.floor(start / 1_000) * 1_000)
}

/** The stored UIDs are invalid. Emails that may be unknown are compared with the stored ones. */
async function restartFolder(
  client: ImapFlow,
  known: FolderRow,
  uidNext: number,
): Promise<Omit<NewFolder, 'uid_validity'>> {
  const since = unknownSince(known)
  const older = since
    ? await olderSince(client, since, uidNext, true)
    : { import_next_uid: 1, import_end_uid: uidNext, import_since: null, is_renumbered: true }
  return { next_uid: uidNext, start_at: known.start_at, ...older }
}

/** UIDVALIDITY as stored: it differs between accounts, because many servers give all their accounts the same one. */
const validityOf = (known: FolderRow | null, uidValidity: bigint): number =>
  Math.floor((known?.uid_validity ?? 0) / accountStep) * accountStep + Number(uidValidity)

export async function openFolder(
  db: Db,
  client: ImapFlow,
  mailbox: FetchedMailbox,
  path: string,
): Promise<OpenedFolder> {
  const key: FolderKey = { project_id: mailbox.project_id, mailbox_id: mailbox.id, path }
  const { uidValidity, uidNext } = await select(client, path, mailbox.after_fetch === 'leave')
  const known = await findFolder(db, key)
  const validity = validityOf(known, uidValidity)
  if (known?.uid_validity === validity) return { folder: known, uidNext }
  const fresh = known
    ? await restartFolder(client, known, uidNext)
    : await startFolder(client, mailbox, uidNext)
  await insertFolder(db, key, mailbox, known, { uid_validity: validity, ...fresh })
  return { folder: (await findFolder(db, key))!, uidNext }
}
