import type { lookup } from 'node:dns'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { GetObjectCommandInput, S3Client, S3ClientConfig } from '@aws-sdk/client-s3'
import { createGuardedAgents, type MayReach } from '../core/http/guarded-agent.ts'
import { propertyOf } from '../core/objects.ts'
import { type Storage, thumbOf } from './storage.ts'

/** An S3-compatible bucket. The library is loaded only if a bucket is used. */
export interface BucketSpec {
  endpoint: string
  bucket: string
  region: string
  path_style: boolean
  access_key_id: string
  secret_access_key: string
}

const sdk = () => import('@aws-sdk/client-s3')

const partSize = 5 * 1024 * 1024

/** Timeouts in milliseconds. Each request is tried twice, so a bucket that hangs fails within 30 s. */
export interface BucketTimeouts {
  connection: number
  silence: number
}

const usual: BucketTimeouts = { connection: 4_000, silence: 8_000 }

export interface BucketOptions {
  timeouts?: BucketTimeouts
  mayReach: MayReach
  lookup?: typeof lookup
}

/** A part may take as long as data flows. A timeout for the whole request would include its body. */
const forWriting = ({ connection, silence }: BucketTimeouts, options: BucketOptions) => ({
  connectionTimeout: connection,
  socketTimeout: silence,
  ...createGuardedAgents({ keepAlive: true, maxSockets: 50 }, options.mayReach, options.lookup),
})

/** The timeout until a response begins. After that, a client may pause, and `watchSilence` detects a silent bucket. */
const forReading = ({ connection, silence }: BucketTimeouts, options: BucketOptions) => ({
  connectionTimeout: connection,
  requestTimeout: silence,
  throwOnRequestTimeout: true,
  socketTimeout: 0,
  // Each slow client holds a connection, so the 50 of the library would soon be used up.
  ...createGuardedAgents({ keepAlive: true, maxSockets: 1_000 }, options.mayReach, options.lookup),
})

async function connect(
  place: BucketSpec,
  requestHandler: S3ClientConfig['requestHandler'],
): Promise<S3Client> {
  const { S3Client } = await sdk()
  return new S3Client({
    endpoint: place.endpoint,
    region: place.region,
    forcePathStyle: place.path_style,
    credentials: { accessKeyId: place.access_key_id, secretAccessKey: place.secret_access_key },
    maxAttempts: 2,
    requestHandler,
    // Otherwise, waiting for `100 Continue` would count as silence.
    expectContinueHeader: false,
    // Many S3-compatible servers do not support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
}

/** Undefined if there was no response. */
const statusOf = (error: unknown): unknown => propertyOf(propertyOf(error, '$metadata'), 'httpStatusCode')

const isMissing = (error: unknown): boolean => statusOf(error) === 404

/** Aborts interrupted uploads, whose parts cost money until then. */
async function abortParts(client: S3Client, Bucket: string, key: string): Promise<void> {
  const { AbortMultipartUploadCommand, ListMultipartUploadsCommand } = await sdk()
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: key }))
  for (const { Key, UploadId } of Uploads) {
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
  }
}

/** Ends a body if the bucket sends no data, but not if the client does not read. */
function watchSilence(body: IncomingMessage, silence: number): IncomingMessage {
  const { socket } = body
  const check = () => {
    if (body.readableLength > 0) socket.setTimeout(silence, check)
    else body.destroy(new Error('the bucket stopped sending data'))
  }
  socket.setTimeout(silence, check)
  return body.once('close', () => socket.setTimeout(0, check))
}

async function readObject(client: S3Client, input: GetObjectCommandInput): Promise<IncomingMessage | null> {
  const { GetObjectCommand } = await sdk()
  try {
    const { Body } = await client.send(new GetObjectCommand(input))
    return Body as IncomingMessage
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** Creates the client at its first use. */
function lazily(
  place: BucketSpec,
  requestHandler: S3ClientConfig['requestHandler'],
): () => Promise<S3Client> {
  let connected: Promise<S3Client> | null = null
  return () => (connected ??= connect(place, requestHandler))
}

export function openBucket(place: BucketSpec, options: BucketOptions): Storage {
  const { timeouts = usual } = options
  const Bucket = place.bucket
  const writer = lazily(place, forWriting(timeouts, options))
  const reader = lazily(place, forReading(timeouts, options))
  return {
    async write(key, content) {
      const { Upload } = await import('@aws-sdk/lib-storage')
      const params = { Bucket, Key: key, Body: Readable.from(content, { objectMode: false }) }
      // One part at a time, to limit memory. Leftovers of a failure are removed later, so that the client does not wait.
      const upload = new Upload({
        client: await writer(),
        params,
        partSize,
        queueSize: 1,
        leavePartsOnError: true,
      })
      await upload.done()
    },
    async read(key, range) {
      const Range = range && `bytes=${range.start}-${range.end}`
      const body = await readObject(await reader(), { Bucket, Key: key, Range })
      return body && watchSilence(body, timeouts.silence)
    },
    async remove(key) {
      const { DeleteObjectCommand } = await sdk()
      const s3 = await writer()
      // A key that may not list uploads may still delete objects, so the object is deleted in any case.
      const refusal = await abortParts(s3, Bucket, key).catch(error => {
        if (!statusOf(error)) throw error
        return error
      })
      for (const Key of [key, thumbOf(key)]) await s3.send(new DeleteObjectCommand({ Bucket, Key }))
      if (refusal && refusal.name !== 'NotImplemented') throw refusal
    },
    async sign(key, { disposition, type }) {
      const { GetObjectCommand } = await sdk()
      const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner')
      const command = new GetObjectCommand({
        Bucket,
        Key: key,
        ResponseContentDisposition: disposition,
        ResponseContentType: type,
      })
      return getSignedUrl(await reader(), command, { expiresIn: 300 })
    },
  }
}
