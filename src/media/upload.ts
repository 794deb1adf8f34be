import { randomUUID } from 'node:crypto'
import type { Call, Received } from '../core/endpoint.ts'
import { ApiError } from '../core/errors.ts'
import { type DbOrTx, transact } from '../events/transaction.ts'
import { decodePartName, fileName } from './names.ts'
import { insertMedia, type NewMedia } from './queries.ts'
import type { Media } from './schema.ts'
import { describeFile, type StoringDeps, storeContent, usualBound } from './store-file.ts'
import { claimStrayObject, deleteStrayObject } from './stray-objects.ts'
import { missingFile, readUploadForm } from './upload-form.ts'

export interface UploadDeps extends StoringDeps {
  /** Work for which the server waits when it stops. */
  underWay: Set<Promise<unknown>>
}

/** Makes the server wait when it stops, until the returned function is called. */
function begin(underWay: UploadDeps['underWay']): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  underWay.add(promise)
  return () => {
    underWay.delete(promise)
    resolve()
  }
}

/** Stores an upload. Until `keepUpload` creates the file, the object is a stray that `release` removes. */
export async function receiveUpload(
  uploading: UploadDeps,
  call: Call<unknown, undefined>,
  bound = usualBound,
): Promise<Received<NewMedia>> {
  const { storages, log, underWay } = uploading
  const end = begin(underWay)
  const key = randomUUID().replaceAll('-', '')
  const release = () =>
    deleteStrayObject(call.db, storages, key)
      .catch(error => log.warn({ err: error }, 'The rest of a failed upload will be removed later'))
      .finally(end)
  try {
    const owner = { db: call.db, projectId: call.project.id }
    const { file, filename } = await readUploadForm(call.request.raw, (content, sentName) =>
      storeContent(uploading, owner, key, content, sentName, bound),
    )
    if (!file) throw missingFile()
    const body = await describeFile(file, key, fileName(filename || decodePartName(file.sentName)))
    return { body, fingerprint: [body.filename, body.size, body.sha256], release }
  } catch (error) {
    // Not awaited, so that the client does not wait for the cleanup if the storage hangs.
    void release()
    throw error
  }
}

export const keepUpload = (store: DbOrTx, projectId: string, file: NewMedia): Promise<Media> =>
  transact(store, projectId, async tx => {
    if (!(await claimStrayObject(tx, file.storage_key))) throw new ApiError('MEDIA_UPLOAD_FAILED')
    return insertMedia(tx, projectId, file)
  })
