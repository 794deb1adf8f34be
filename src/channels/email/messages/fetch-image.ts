import http from 'node:http'
import https from 'node:https'
import { type Agents, createGuardedAgents, type MayReach } from '../../../core/guarded-agent.ts'
import { headLength, kindOf, sniffType } from '../../../media/media.ts'

/** Loads an image for an email from a server of the internet. The request has no cookies, and says nothing about the reader. */

export interface RemoteImage {
  type: string
  bytes: Buffer
}

export interface FetchLimits {
  maxBytes: number
  timeoutMs: number
}

const limits: FetchLimits = { maxBytes: 10 * 2 ** 20, timeoutMs: 10_000 }

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

async function readBody(response: http.IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    size += chunk.length
    if (size > maxBytes) throw new Error('Too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Both the server's and the bytes' type must be an image that browsers display. SVG is none, because it can contain scripts. */
async function readImage(response: http.IncomingMessage, maxBytes: number): Promise<RemoteImage> {
  const declared = response.headers['content-type'] ?? ''
  if (!/^image\/(?!svg)/i.test(declared) || Number(response.headers['content-length'] ?? 0) > maxBytes) {
    response.destroy()
    throw new Error('Not an image, or too large')
  }
  const bytes = await readBody(response, maxBytes)
  const type = await sniffType(bytes.subarray(0, headLength), bytes.length <= headLength)
  if (kindOf(type) !== 'image') throw new Error(`Not an image but ${type}`)
  return { type, bytes }
}

/** Rejects if it is not an image, is too large or takes too long, or if it or a redirect is at an address that may not be reached. */
export async function fetchImage(
  url: string,
  mayReach: MayReach,
  { maxBytes, timeoutMs }: FetchLimits = limits,
): Promise<RemoteImage> {
  const agents = createGuardedAgents({ keepAlive: false }, mayReach)
  const signal = AbortSignal.timeout(timeoutMs)
  return readImage(await follow(new URL(url), agents, signal), maxBytes)
}
