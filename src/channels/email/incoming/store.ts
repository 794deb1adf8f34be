import { createHash, randomUUID } from 'node:crypto'
import type { Db } from '../../../core/db/db.ts'
import { newId } from '../../../core/ids.ts'
import { errorOf } from '../../../core/thrown.ts'
import { type Tx, transact } from '../../../events/transaction.ts'
import { claimStrayObject, deleteStrayObject, reserveObject, type Storages } from '../../../media/media.ts'
import { type CursorMove, type FolderKey, updateCursor } from '../mailboxes/folder-queries.ts'
import {
  insertIncomingMail,
  type MailSource,
  type NewIncomingMail,
  type SmtpClient,
  updateRenumbered,
} from './incoming-queries.ts'
import { countStored } from './mail-metrics.ts'
import { notifyStoredMail } from './stored-notifier.ts'

/** Stores complete emails before anything parses them, whichever way they arrive. */

export interface StoreDeps {
  db: Db
  storages: Storages
}

/** Where an email comes from. */
export interface MailOrigin {
  project_id: string
  mailbox_id: string
  source: MailSource
  /** ISO 8601. */
  received_at: string
  /** For a fetched email: its folder, and the cursor's next position. */
  fetched?: {
    folder: FolderKey
    uid: number
    move: CursorMove
    isRenumbered: boolean
    afterDays: number | null
  }
  envelope?: { from: string; to: string[]; client: SmtpClient }
}

/** The maximum size in bytes of an email that is stored completely. */
export const maxMailBytes = 150 * 1024 * 1024

/** Reading the email from its source failed, as opposed to the storage or the database. */
export class SourceError extends Error {
  constructor(cause: unknown) {
    super(errorOf(cause).message, { cause })
  }
}

interface MeasuredMail {
  size: number
  sha256: string
  fault: unknown
}

async function* measure(content: AsyncIterable<Buffer>, measured: MeasuredMail): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  const chunks = content[Symbol.asyncIterator]()
  const next = () =>
    chunks.next().catch((error: unknown) => {
      measured.fault = new SourceError(error)
      throw measured.fault
    })
  for (let read = await next(); !read.done; read = await next()) {
    measured.size += read.value.length
    hash.update(read.value)
    yield read.value
  }
  measured.sha256 = hash.digest('hex')
}

const rowOf = (
  origin: MailOrigin,
): Omit<NewIncomingMail, 'size' | 'sha256' | 'storage_key' | 'bucket_id'> => ({
  id: newId(),
  mailbox_id: origin.mailbox_id,
  source: origin.source,
  folder: origin.fetched?.folder.path ?? null,
  uid_validity: origin.fetched?.move.uidValidity ?? null,
  uid: origin.fetched?.uid ?? null,
  envelope_from: origin.envelope?.from ?? null,
  envelope_to: origin.envelope?.to ?? [],
  client: origin.envelope?.client ?? null,
  is_partial: false,
  received_at: origin.received_at,
  state: 'stored',
  outcome: null,
  reason: null,
  last_error: null,
  after_fetch_days: origin.fetched?.afterDays ?? null,
})

/** Moves the cursor and records the email. Returns false if the email is already recorded. */
async function record(tx: Tx, { fetched }: MailOrigin, mail: NewIncomingMail): Promise<boolean> {
  if (fetched && !(await updateCursor(tx, fetched.folder, fetched.move))) return false
  if (fetched?.isRenumbered && mail.sha256 && (await updateRenumbered(tx, tx.projectId, mail))) return false
  return insertIncomingMail(tx, tx.projectId, mail)
}

/**
 * Writes the email to the storage, then its row and its folder's cursor in one transaction. Returns the email's id, or null
 * if it is already recorded.
 */
export async function storeIncoming(
  { db, storages }: StoreDeps,
  origin: MailOrigin,
  content: AsyncIterable<Buffer>,
  { isPartial = false, fullSize }: { isPartial?: boolean; fullSize?: number } = {},
): Promise<string | null> {
  const key = randomUUID().replaceAll('-', '')
  const { storage, bucketId } = await reserveObject({ db, storages }, origin.project_id, key)
  const measured: MeasuredMail = { size: 0, sha256: '', fault: null }
  let isStored = false
  try {
    await storage.write(key, measure(content, measured))
    const { size, sha256 } = measured
    const mail = {
      ...rowOf(origin),
      ...{ size: fullSize ?? size, sha256, storage_key: key, bucket_id: bucketId, is_partial: isPartial },
    }
    isStored = await transact(db, origin.project_id, async tx => {
      if (!(await record(tx, origin, mail))) return false
      if (!(await claimStrayObject(tx, key)))
        throw new Error('The email was deleted while it was being stored')
      tx.noteDue('mails')
      return true
    })
    if (isStored) noteStored(origin)
    return isStored ? mail.id : null
  } catch (error) {
    throw measured.fault ?? error
  } finally {
    if (!isStored) await deleteStrayObject(db, storages, key).catch(() => {})
  }
}

function noteStored({ source, project_id }: MailOrigin): void {
  countStored(source)
  notifyStoredMail(project_id)
}

/** Records an email that its server cannot return, so that fetching continues with the next one. */
export const storeUnreadable = ({ db }: StoreDeps, origin: MailOrigin, size: number, reason: string) =>
  transact(db, origin.project_id, tx =>
    record(tx, origin, {
      ...rowOf(origin),
      ...{ size, sha256: '', storage_key: '', bucket_id: null },
      ...{ state: 'failed', outcome: 'unreadable', reason, last_error: reason, after_fetch_days: null },
    }),
  )
