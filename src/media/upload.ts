import { createHash, randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Call, Received } from '../core/endpoint.ts'
import { ApiError, BriefError, InvalidRequest } from '../core/errors.ts'
import { isFull, storageFull } from '../core/full-disk.ts'
import { newId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import { now } from '../core/time.ts'
import { type DbOrTx, transact } from '../events/transaction.ts'
import { inspect, noImageInfo } from './inspect.ts'
import { maxFileBytes } from './limits.ts'
import { decodePartName, fileName } from './names.ts'
import { insertMedia, type NewMedia } from './queries.ts'
import type { Media } from './schema.ts'
import { type Storage, thumbOf } from './storage.ts'
import type { Storages } from './storages.ts'
import { claimStrayObject, deleteStrayObject, reserveObject } from './stray-objects.ts'
import { headLength, kindOf, sniffType } from './types.ts'
import { emptyFile, malformed, missingFile, readUploadForm, tooLarge } from './upload-form.ts'

export interface UploadDeps {
  storages: Storages
  log: Log
  /** Work for which the server waits when it stops. */
  underWay: Set<Promise<unknown>>
}

/** The size and hash of the uploaded data. */
interface Measured {
  size: number
  sha256: string
  head: Buffer
  /** An error of the uploaded data, not of the storage. */
  fault: unknown
}

/** The size limit of a file, and the error for a larger one. */
export interface SizeLimit {
  bytes: number
  refuse(): ApiError
}

const usualBound: SizeLimit = { bytes: maxFileBytes, refuse: tooLarge }

interface Stored extends Measured {
  sentName: string
  bucketId: string | null
  storage: Storage
}

const isClientError = (error: unknown): boolean =>
  [ApiError, BriefError, InvalidRequest].some(kind => error instanceof kind)

/** Errors of the storage arrive at `yield`, and are not the client's fault. */
async function* measure(content: Readable, measured: Measured, bound: SizeLimit): AsyncGenerator<Buffer> {
  const blame = (error: unknown): never => {
    measured.fault = isClientError(error) ? error : malformed()
    throw measured.fault
  }
  const chunks: AsyncIterator<Buffer> = content[Symbol.asyncIterator]()
  const next = () => chunks.next().catch(blame)
  const hash = createHash('sha256')
  const head: Buffer[] = []
  for (let read = await next(); !read.done; read = await next()) {
    if (measured.size < headLength) head.push(Buffer.from(read.value.subarray(0, headLength)))
    measured.size += read.value.length
    if (measured.size > bound.bytes) blame(bound.refuse())
    hash.update(read.value)
    yield read.value
  }
  if (measured.size === 0) blame(emptyFile())
  measured.sha256 = hash.digest('hex')
  measured.head = Buffer.concat(head).subarray(0, headLength)
}

const uploadFailed = (log: Log, error: unknown): ApiError => {
  const isForFullDisk = isFull(error)
  log.error(
    { err: error },
    isForFullDisk ? 'a file could not be stored: the disk is full' : 'a file could not be stored',
  )
  return isForFullDisk ? storageFull('MEDIA_UPLOAD_FAILED') : new ApiError('MEDIA_UPLOAD_FAILED')
}

async function storeContent(
  { storages, log }: UploadDeps,
  { db, project }: Call<unknown, undefined>,
  key: string,
  content: Readable,
  sentName: string,
  bound: SizeLimit,
): Promise<Stored> {
  const { storage, bucketId } = await reserveObject({ db, storages }, project.id, key)
  const measured: Measured = { size: 0, sha256: '', head: Buffer.alloc(0), fault: null }
  try {
    await storage.write(key, measure(content, measured, bound), true)
  } catch (error) {
    throw measured.fault ?? uploadFailed(log, error)
  }
  return { ...measured, sentName, bucketId, storage }
}

async function describe(stored: Stored, key: string, filename: string): Promise<NewMedia> {
  const { size, sha256, head, bucketId, storage } = stored
  const content_type = await sniffType(head, size === head.length)
  const look = await inspect(storage, key, content_type, size)
  const thumb = look.thumb && (await writeThumb(storage, key, look.thumb))
  const { width, height } = thumb === false ? noImageInfo : look
  return {
    id: newId(),
    filename,
    content_type,
    kind: kindOf(content_type),
    size,
    width,
    height,
    duration: null,
    sha256,
    has_thumb: thumb === true,
    created_at: now(),
    bucket_id: bucketId,
    storage_key: key,
  }
}

const writeThumb = (storage: Storage, key: string, thumb: Buffer): Promise<boolean> =>
  storage
    .write(
      thumbOf(key),
      (async function* () {
        yield thumb
      })(),
    )
    .then(
      () => true,
      () => false,
    )

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
): Promise<Received> {
  const { storages, log, underWay } = uploading
  const end = begin(underWay)
  const key = randomUUID().replaceAll('-', '')
  const release = () =>
    deleteStrayObject(call.db, storages, key)
      .catch(error => log.warn({ err: error }, 'The rest of a failed upload will be removed later'))
      .finally(end)
  try {
    const { file, filename } = await readUploadForm(call.request.raw, (content, sentName) =>
      storeContent(uploading, call, key, content, sentName, bound),
    )
    if (!file) throw missingFile()
    const body = await describe(file, key, fileName(filename || decodePartName(file.sentName)))
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
