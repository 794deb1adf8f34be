import { Readable } from 'node:stream'
import rangeParser from 'range-parser'
import type { Call } from '../core/endpoint.ts'
import { BriefError } from '../core/errors.ts'
import { releaseSent } from './free-buffers.ts'
import { dispositionOf } from './names.ts'
import type { StoredRow } from './queries.ts'
import { type Storage, thumbOf } from './storage.ts'
import type { Storages } from './storages.ts'
import { isInlineType, servedType } from './types.ts'

/** What is sent: the file itself, or its thumbnail. */
interface Served {
  key: string
  etag: string
  type: string
  disposition: string
  /** Null if only the storage knows it. */
  size: number | null
  /** Whether browsers and caches may keep it for some minutes without asking. */
  isKept?: boolean
  /** Whether the browser of an operator shows it. */
  isForPeople?: boolean
}

export function original(file: StoredRow, wantsInline: boolean): Served {
  const isInline = wantsInline && isInlineType(file.content_type)
  return {
    key: file.storage_key,
    etag: `"${file.sha256}"`,
    type: servedType(file.content_type),
    disposition: dispositionOf(file.filename, isInline),
    size: file.size,
  }
}

export function thumb(file: StoredRow): Served {
  if (!file.has_thumb) throw new BriefError('file_not_found')
  return {
    key: thumbOf(file.storage_key),
    etag: `"${file.sha256}-thumb"`,
    type: 'image/webp',
    disposition: dispositionOf(`${file.filename}.webp`, true),
    size: null,
  }
}

/** Kept briefly, so that the picture of an article that is hidden from the public disappears soon. */
const cachingOf = ({ isKept }: Served): string => (isKept ? 'public, max-age=300' : 'private, no-cache')

/** Chromium and Safari do not open a PDF in a sandbox. It cannot run anything in this origin. */
const policyOf = ({ type, isForPeople }: Served): string =>
  isForPeople && type === 'application/pdf'
    ? "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'"
    : "sandbox; default-src 'none'"

const headersOf = (served: Served, audience: string) => ({
  'content-type': served.type,
  'content-disposition': served.disposition,
  etag: served.etag,
  'accept-ranges': 'bytes',
  'cache-control': cachingOf(served),
  'x-content-type-options': 'nosniff',
  'content-security-policy': policyOf(served),
  'cross-origin-resource-policy': audience,
  'referrer-policy': 'no-referrer',
})

const isNamed = (header: string, etag: string): boolean =>
  header.trim() === '*' || header.split(',').some(one => one.trim().replace(/^W\//, '') === etag)

interface Slice {
  start: number
  end: number
}

/** The last N bytes of a shorter file mean the whole file (RFC 9110, 14.1.2), but the parser would refuse them. */
const clipSuffix = (range: string, size: number): string =>
  range.replace(/([=,]\s*)-(\d+)/g, (_, before, length) => `${before}-${Math.min(Number(length), size)}`)

/** The requested range; null means the whole file, also if several ranges were requested or the file has changed. */
function sliceOf({ request, reply }: Call, { size, etag }: Served): Slice | null {
  const { range, 'if-range': condition } = request.headers
  if (!range || size === null || (condition !== undefined && condition !== etag)) return null
  const found = rangeParser(size, clipSuffix(range, size), { combine: true })
  if (found === -1) {
    reply.header('content-range', `bytes */${size}`)
    throw new BriefError('range_unsatisfiable')
  }
  const isOne = found !== -2 && found.type === 'bytes' && found.length === 1
  return isOne ? found[0]! : null
}

const redirect = ({ reply }: Call, address: string): null => {
  reply.code(302).headers({ location: address, 'referrer-policy': 'no-referrer' })
  return null
}

async function open(
  { request }: Call,
  storage: Storage,
  key: string,
  slice: Slice | null,
): Promise<Readable | null> {
  try {
    return await storage.read(key, slice ?? undefined)
  } catch (error) {
    request.log.error({ err: error }, 'A file cannot be read from its storage')
    throw new BriefError('storage_unavailable')
  }
}

/** Sends the file, a range of it, or a redirect to it. */
export async function serve(
  call: Call,
  storages: Storages,
  bucketId: string | null,
  served: Served,
  audience: 'same-origin' | 'cross-origin',
): Promise<Readable | null> {
  const { request, reply } = call
  const place = await storages.find(bucketId)
  if (!place) throw new BriefError('file_not_found')
  const { storage, isProjects } = place
  if (isProjects && storage.sign) return redirect(call, await storage.sign(served.key, served))
  if (isNamed(request.headers['if-none-match'] ?? '', served.etag)) {
    reply.code(304).headers({ etag: served.etag, 'cache-control': cachingOf(served) })
    return null
  }
  const slice = sliceOf(call, served)
  const isHead = request.method === 'HEAD'
  const content = isHead ? Readable.from([]) : await open(call, storage, served.key, slice)
  if (!content) throw new BriefError('file_not_found')
  reply.headers(headersOf(served, audience))
  if (slice) {
    reply.code(206).header('content-range', `bytes ${slice.start}-${slice.end}/${served.size}`)
  }
  const length = slice ? slice.end - slice.start + 1 : served.size
  if (length !== null) reply.header('content-length', length)
  return releaseSent(content, reply.raw)
}
