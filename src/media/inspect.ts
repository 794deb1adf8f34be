import { once } from 'node:events'
import { addAbortSignal } from 'node:stream'
import { readLimited } from '../core/async/read-limited.ts'
import type { Storage } from './storage.ts'

/** Properties of an image. The libraries that read bytes from outside get little time and few bytes. If they fail, the upload is just a file. */
export interface ImageInfo {
  width: number | null
  height: number | null
  thumb: Buffer | null
}

export const noImageInfo: ImageInfo = { width: null, height: null, thumb: null }

const readable = new Set(['png', 'jpeg', 'gif', 'webp', 'avif'].map(name => `image/${name}`))
const maxBytes = 20 * 1024 * 1024
const maxPixels = 50_000_000
const thumbSide = 320
const decodeSeconds = 5

async function loadSharp() {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif'].map(name => `VipsForeignLoad${name}`),
  })
  return sharp
}

let loading: ReturnType<typeof loadSharp> | null = null

async function readImage(bytes: Buffer): Promise<ImageInfo> {
  loading ??= loadSharp()
  const sharp = await loading
  const image = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' })
  const { autoOrient, width, height } = await image.metadata()
  const thumb = await image
    .timeout({ seconds: decodeSeconds })
    .autoOrient()
    .resize(thumbSide, thumbSide, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 75 })
    .toBuffer()
  return { ...noImageInfo, width: autoOrient?.width ?? width, height: autoOrient?.height ?? height, thumb }
}

/** Only two images are processed at a time, because a large image takes much memory and a processor core. */
let freeSlots = 2
const waitingForSlot = new Set<() => void>()

async function acquireSlot(timeoutMs: number): Promise<void> {
  if (freeSlots > 0) return void freeSlots--
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  waitingForSlot.add(resolve)
  const timer = setTimeout(() => {
    waitingForSlot.delete(resolve)
    reject(new Error('too many images at once'))
  }, timeoutMs)
  await promise
  clearTimeout(timer)
}

function releaseSlot(): void {
  const [next] = waitingForSlot
  if (!next) return void freeSlots++
  waitingForSlot.delete(next)
  next()
}

/** Reads an object with a time limit, because the two slots are shared and a project's bucket may be endlessly slow. */
async function fetchBytes(storage: Storage, key: string, timeoutMs: number): Promise<Buffer | null> {
  const late = AbortSignal.timeout(timeoutMs)
  const reading = storage
    .read(key)
    .then(content => content && readLimited(addAbortSignal(late, content), maxBytes))
  const giveUp = once(late, 'abort').then(() => Promise.reject(late.reason))
  return Promise.race([reading, giveUp])
}

async function readStoredImage(storage: Storage, key: string, timeoutMs: number): Promise<ImageInfo> {
  await acquireSlot(timeoutMs)
  try {
    const bytes = await fetchBytes(storage, key, timeoutMs)
    return bytes ? await readImage(bytes) : noImageInfo
  } finally {
    releaseSlot()
  }
}

/**
 * The size and thumbnail of a stored image. There are none if the image is broken or too large, or if its slot or bytes do not arrive
 * within `timeoutMs` milliseconds. Audio and video files are not opened.
 */
export async function inspect(
  storage: Storage,
  key: string,
  type: string,
  size: number,
  timeoutMs = 5_000,
): Promise<ImageInfo> {
  if (!readable.has(type) || size > maxBytes) return noImageInfo
  return readStoredImage(storage, key, timeoutMs).catch(() => noImageInfo)
}
