import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Db } from '../../../core/db.ts'
import { composeEmail } from '../../../mail/compose/compose-email.ts'
import { claimStrayObject, deleteStrayObject, reserveObject, type Storages } from '../../../media/media.ts'
import type { FetchedMailbox } from '../mailboxes/mailbox.ts'
import { type BuildDeps, describeEmail } from './build-email.ts'
import { type OutgoingRow, updateBuilt } from './outgoing-queries.ts'

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

async function store(
  { db, storages }: StoreDeps,
  projectId: string,
  messageId: string,
  content: Readable,
): Promise<StoredBytes> {
  const key = randomUUID().replaceAll('-', '')
  const { storage, bucketId } = await reserveObject({ db, storages }, projectId, key)
  const measured = { size: 0 }
  let isStored = false
  try {
    await storage.write(key, measure(content, measured))
    const bytes = { storage_key: key, bucket_id: bucketId, size: measured.size }
    isStored = await db.begin(
      async tx =>
        (await updateBuilt(tx as never, projectId, messageId, bytes)) &&
        (await claimStrayObject(tx as never, key)),
    )
    if (!isStored) throw new Error('The email was built or deleted by another process')
    return bytes
  } finally {
    if (!isStored) await deleteStrayObject(db, storages, key).catch(() => {})
  }
}

/** Builds the email, unless it was built before. */
export async function getBytes(
  deps: StoreDeps,
  mailbox: FetchedMailbox,
  { message_id, storage_key, bucket_id, size }: OutgoingRow,
): Promise<StoredBytes> {
  if (storage_key && size !== null) return { storage_key, bucket_id, size }
  const email = await describeEmail(deps, deps.db, mailbox, message_id)
  if (!email) throw new Error('The message was deleted')
  return store(deps, mailbox.project_id, message_id, await composeEmail(email))
}

export async function openBytes(
  storages: Storages,
  { storage_key, bucket_id }: StoredBytes,
): Promise<Readable> {
  const place = await storages.find(bucket_id)
  const content = await place?.storage.read(storage_key)
  if (!content) throw new Error('The bytes of the email are missing')
  return content
}
