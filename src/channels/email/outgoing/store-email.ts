import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Db } from '../../../core/db/db.ts'
import { type Tx, transact } from '../../../events/transaction.ts'
import { composeEmail } from '../../../mail/compose/compose-email.ts'
import { claimStrayObject, deleteStrayObject, reserveObject, type Storages } from '../../../media/media.ts'
import { type ClaimedMessage, isClaimed } from '../../../outgoing/outgoing.ts'
import type { FetchedMailbox } from '../mailboxes/mailbox.ts'
import { type BuildDeps, describeEmail } from './build-email.ts'
import { BuildError, toBuildError } from './build-error.ts'
import { lockSentMessage, type OutgoingRow, updateBuilt } from './outgoing-queries.ts'

/** Stores the bytes of an email, so that all its attempts send the same. */

async function* measure(content: Readable, measured: { size: number }): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    measured.size += chunk.length
    yield chunk
  }
}

export interface StoredBytes {
  storage_key: string
  bucket_id: string | null
  size: number
}

type StoreDeps = BuildDeps & { db: Db }

/** Locks the message, because editing it discards the built email. */
async function keepBytes(tx: Tx, claimed: ClaimedMessage, bytes: StoredBytes): Promise<boolean> {
  const { project_id, message_id } = claimed
  await lockSentMessage(tx, project_id, message_id)
  return (
    (await isClaimed(tx, claimed)) &&
    (await updateBuilt(tx, project_id, message_id, bytes)) &&
    claimStrayObject(tx, bytes.storage_key)
  )
}

async function store(
  { db, storages }: StoreDeps,
  claimed: ClaimedMessage,
  content: Readable,
): Promise<StoredBytes> {
  const key = randomUUID().replaceAll('-', '')
  const { storage, bucketId } = await reserveObject({ db, storages }, claimed.project_id, key)
  const measured = { size: 0 }
  let isStored = false
  try {
    await storage.write(key, measure(content, measured))
    const bytes = { storage_key: key, bucket_id: bucketId, size: measured.size }
    isStored = await transact(db, claimed.project_id, tx => keepBytes(tx, claimed, bytes))
    if (!isStored) throw new Error('The message was edited or deleted, or another process sends it')
    return bytes
  } finally {
    if (!isStored) await deleteStrayObject(db, storages, key).catch(() => {})
  }
}

/** Builds the email, unless it was built before. Rejects with an BuildError if that fails. */
export async function getBytes(
  deps: StoreDeps,
  claimed: ClaimedMessage,
  mailbox: FetchedMailbox,
  { storage_key, bucket_id, size }: OutgoingRow,
): Promise<StoredBytes> {
  if (storage_key && size !== null) return { storage_key, bucket_id, size }
  try {
    const email = await describeEmail(deps, deps.db, mailbox, claimed.message_id)
    if (!email) throw new Error('The message was deleted')
    return await store(deps, claimed, await composeEmail(email))
  } catch (error) {
    throw toBuildError(error)
  }
}

export async function openBytes(
  storages: Storages,
  { storage_key, bucket_id }: Pick<StoredBytes, 'storage_key' | 'bucket_id'>,
): Promise<Readable> {
  const place = await storages.find(bucket_id)
  const content = await place?.storage.read(storage_key)
  if (!content) throw new BuildError('not_built', 'The bytes of the email are missing')
  return content
}
