import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, type ReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { Db } from '../core/db/db.ts'
import { isFull, storageFull } from '../core/db/full-disk.ts'
import { ApiError, BriefError, InvalidRequest } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import type { Log } from '../core/telemetry/log.ts'
import { now } from '../core/time.ts'
import { inspect, noImageInfo } from './inspect.ts'
import { maxFileBytes } from './limits.ts'
import { fileName } from './names.ts'
import type { NewMedia } from './queries.ts'
import { type Storage, thumbOf } from './storage.ts'
import type { Storages } from './storages.ts'
import { reserveObject } from './stray-objects.ts'
import { headLength, kindOf, sniffType } from './types.ts'
import { emptyFile, malformed, tooLarge } from './upload-form.ts'

export interface StoringDeps {
  storages: Storages
  log: Log
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
  /** Whether a file without content is accepted; not by default. */
  mayBeEmpty?: boolean
}

export const usualBound: SizeLimit = { bytes: maxFileBytes, refuse: tooLarge }

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
  if (measured.size === 0 && !bound.mayBeEmpty) blame(emptyFile())
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

/** Whose file it will be. */
interface Owner {
  db: Db
  projectId: string
}

export async function storeContent(
  { storages, log }: StoringDeps,
  { db, projectId }: Owner,
  key: string,
  content: Readable,
  sentName: string,
  bound: SizeLimit,
): Promise<Stored> {
  const { storage, bucketId } = await reserveObject({ db, storages }, projectId, key)
  const measured: Measured = { size: 0, sha256: '', head: Buffer.alloc(0), fault: null }
  try {
    await storage.write(key, measure(content, measured, bound), true)
  } catch (error) {
    throw measured.fault ?? uploadFailed(log, error)
  }
  return { ...measured, sentName, bucketId, storage }
}

/** Types of texts that the bytes do not show. Browsers run none of them. */
const textTypes = ['message/rfc822', 'text/calendar', 'text/csv']

export async function describeFile(
  stored: Stored,
  key: string,
  filename: string,
  declared: string | null = null,
): Promise<NewMedia> {
  const { size, sha256, head, bucketId, storage } = stored
  const sniffed = await sniffType(head, size === head.length)
  const content_type =
    declared !== null && sniffed.startsWith('text/plain') && textTypes.includes(declared) ? declared : sniffed
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

/** Files in emails are stored regardless of their size, because the senders would not learn of a refusal. */
const anySize: SizeLimit = { bytes: Number.POSITIVE_INFINITY, refuse: tooLarge, mayBeEmpty: true }

/** Stores a file that a channel receives as a stream; see `storeFile`. Rejects with MEDIA_TOO_LARGE if it is larger than `maxBytes`. */
export async function storeStream(
  uploading: StoringDeps,
  owner: Owner,
  content: Readable,
  file: { filename: string; maxBytes?: number | undefined; contentType?: string | null | undefined },
): Promise<NewMedia> {
  const { filename, maxBytes: bytes = maxFileBytes, contentType } = file
  const key = randomUUID().replaceAll('-', '')
  try {
    const stored = await storeContent(uploading, owner, key, content, filename, { ...anySize, bytes })
    return await describeFile(stored, key, fileName(filename), contentType)
  } finally {
    content.destroy()
  }
}

/**
 * Stores a file from the disk that a channel received. Until `keepUpload` creates the file, the object is a stray, which is removed
 * within an hour. Throws MEDIA_UPLOAD_FAILED if the storage fails.
 */
export async function storeFile(
  uploading: StoringDeps,
  owner: Owner,
  { path, filename, contentType = null }: { path: string; filename: string; contentType?: string | null },
): Promise<NewMedia> {
  const key = randomUUID().replaceAll('-', '')
  const opened: ReadStream[] = []
  // Opened only when the storage begins to read.
  const content = Readable.from(
    (async function* () {
      const stream = createReadStream(path)
      opened.push(stream)
      yield* stream
    })(),
  )
  try {
    const stored = await storeContent(uploading, owner, key, content, filename, anySize)
    return await describeFile(stored, key, fileName(filename), contentType)
  } finally {
    content.destroy()
    for (const stream of opened) stream.destroy()
  }
}
