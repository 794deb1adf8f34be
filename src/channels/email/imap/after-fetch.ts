import type { ImapFlow } from 'imapflow'
import type { Db } from '../../../core/db/db.ts'
import type { FolderRow } from '../mailboxes/folder-queries.ts'
import type { FetchedMailbox } from '../mailboxes/mailbox.ts'
import { listAfterFetchDue, updateAfterFetchDone } from './after-fetch-queries.ts'

/** Marks, moves or deletes emails on the server, but only those that are already committed to the database. */

async function ensureFolder(client: ImapFlow, path: string): Promise<void> {
  await client.mailboxCreate(path)
}

async function act(client: ImapFlow, mailbox: FetchedMailbox, uids: string): Promise<void> {
  const { after_fetch, after_fetch_folder } = mailbox
  if (after_fetch === 'seen') await client.messageFlagsAdd(uids, ['\\Seen'], { uid: true })
  if (after_fetch === 'delete') await client.messageDelete(uids, { uid: true })
  if (after_fetch === 'move' && after_fetch_folder) {
    await ensureFolder(client, after_fetch_folder)
    await client.messageMove(uids, after_fetch_folder, { uid: true })
  }
}

/** Works on the currently open folder. */
export async function finishFetched(
  db: Db,
  client: ImapFlow,
  mailbox: FetchedMailbox,
  folder: Pick<FolderRow, 'path' | 'uid_validity'>,
): Promise<void> {
  if (mailbox.after_fetch === 'leave') return
  const place = { path: folder.path, uidValidity: folder.uid_validity }
  const due = await listAfterFetchDue(db, mailbox.project_id, mailbox.id, place)
  if (due.length === 0) return
  await act(client, mailbox, due.map(({ uid }) => uid).join(','))
  await updateAfterFetchDone(
    db,
    mailbox.project_id,
    due.map(({ id }) => id),
  )
}
