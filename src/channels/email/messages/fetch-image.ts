import http from 'node:http'
import https from 'node:https'
import { Readable } from 'node:stream'
import { within } from '../../../core/async/in-time.ts'
import { type Agents, createGuardedAgents, type MayReach } from '../../../core/http/guarded-agent.ts'
import { headLength, kindOf, sniffType } from '../../../media/media.ts'

/**
 * Loads an image for an email from a server on the internet. The request has no cookies, and reveals nothing about the reader. The image is
 * passed on while it arrives, so that many images take little memory.
 */

export interface RemoteImage {
  type: string
  /** Fails if the image is too large or takes too long. */
  content: Readable
}

export interface FetchLimits {
  maxBytes: number
  /** Milliseconds until the image begins to arrive. */
  beginMs: number
  /** Milliseconds until the whole image has arrived. */
  endMs: number
}

const limits: FetchLimits = { maxBytes: 10 * 2 ** 20, beginMs: 10_000, endMs: 60_000 }

const maxRedirects = 3

const headers = { accept: 'image/*', 'user-agent': 'Deskbell/1' }

/** Opens a connection of its own, whose address the agent has checked. */
function request(url: URL, { httpAgent, httpsAgent }: Agents, signal: AbortSignal) {
  const [client, agent] = url.protocol === 'https:' ? [https, httpsAgent] : [http, httpAgent]
  return new Promise<http.IncomingMessage>((resolve, reject) => {
    client.get(url, { agent, headers, signal }, resolve).on('error', reject)
  })
}

async function follow(url: URL, agents: Agents, signal: AbortSignal, left = maxRedirects) {
  if (!/^https?:$/.test(url.protocol)) throw new Error('Neither http nor https')
  const response = await request(url, agents, signal)
  const { statusCode = 0, headers } = response
  if (statusCode === 200) return response
  response.destroy()
  const next =
    statusCode >= 300 && statusCode < 400 && left > 0 ? URL.parse(headers.location ?? '', url) : null
  if (!next) throw new Error(`Status ${statusCode}`)
  return follow(next, agents, signal, left - 1)
}

type Chunks = AsyncIterator<Buffer>

/** The first bytes, which identify the type, and whether they are the whole image. */
async function readHead(chunks: Chunks): Promise<{ head: Buffer; isWhole: boolean }> {
  const read: Buffer[] = []
  let size = 0
  while (size < headLength) {
    const { done, value } = await chunks.next()
    if (done) return { head: Buffer.concat(read), isWhole: true }
    read.push(value)
    size += value.length
  }
  return { head: Buffer.concat(read), isWhole: false }
}

async function* passOn(response: http.IncomingMessage, head: Buffer, chunks: Chunks, maxBytes: number) {
  let size = head.length
  try {
    yield head
    for (let read = await chunks.next(); !read.done; read = await chunks.next()) {
      size += read.value.length
      if (size > maxBytes) throw new Error('Too large')
      yield read.value
    }
  } finally {
    response.destroy()
  }
}

/** Both the server's and the bytes' type must be an image that browsers display. SVG is none, because it can contain scripts. */
async function readImage(response: http.IncomingMessage, maxBytes: number): Promise<RemoteImage> {
  const declared = response.headers['content-type'] ?? ''
  if (!/^image\/(?!svg)/i.test(declared) || Number(response.headers['content-length'] ?? 0) > maxBytes)
    throw new Error('Not an image, or too large')
  const chunks: Chunks = response[Symbol.asyncIterator]()
  const { head, isWhole } = await readHead(chunks)
  const type = await sniffType(head.subarray(0, headLength), isWhole && head.length <= headLength)
  if (kindOf(type) !== 'image') throw new Error(`Not an image but ${type}`)
  return { type, content: Readable.from(passOn(response, head, chunks, maxBytes)) }
}

/** Rejects if it is not an image, is too large or takes too long, or if it or a redirect is at an address that may not be reached. */
export async function fetchImage(
  url: string,
  mayReach: MayReach,
  { maxBytes, beginMs, endMs }: FetchLimits = limits,
): Promise<RemoteImage> {
  const agents = createGuardedAgents({ keepAlive: false }, mayReach)
  const failed = new AbortController()
  const signal = AbortSignal.any([failed.signal, AbortSignal.timeout(endMs)])
  const image = follow(new URL(url), agents, signal).then(response => readImage(response, maxBytes))
  return within(beginMs, image, () => {
    throw new Error('The image takes too long')
  }).catch(error => {
    failed.abort()
    throw error
  })
}
