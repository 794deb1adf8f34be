import http from 'node:http'
import https from 'node:https'
import { isIP, type Socket } from 'node:net'
import type { AddressRule } from '../core/http/address.ts'
import { post, type RequestContent, type RequestTarget, readHost, type SendError } from './post.ts'
import { createResolver, type Resolve } from './resolve.ts'

export { type RequestContent, SEND_ERRORS, type SendError } from './post.ts'

export type SendOutcome = {
  ok: boolean
  status_code: number | null
  error: SendError | null
  /** Milliseconds until the status arrived or the attempt failed. */
  latency_ms: number
  /** The first KB of the response body as text; null without a response or a body. */
  response_excerpt: string | null
}
export type SendOptions = {
  /** A deadline in milliseconds, if it is shorter than that of every attempt. */
  limit?: number
  /** Uses a separate connection, so that the request is never repeated. */
  usesNewConnection?: boolean
}
export type Sender = {
  send(attempt: RequestContent, options?: SendOptions): Promise<SendOutcome>
  close(): Promise<void>
}

type Agents = Record<'http:' | 'https:', http.Agent>
type Context = { addressRule: AddressRule; timeout: number; resolve: Resolve; kept: Agents; fresh: Agents }

const MAX_BODY_BYTES = 64 * 1024
const BODY_TIMEOUT_MS = 1_000
const MAX_EXCERPT_BYTES = 1024
const CHUNK_BYTES = 4 * 1024
/** Milliseconds by which reading a body may exceed the deadline. An attempt ends within 10.3 s. */
const BODY_GRACE_MS = 200

export function createSender(options: {
  addressRule: AddressRule
  /** Milliseconds from the name look-up to the end of the response headers. */
  timeout?: number
  resolve?: Resolve
}): Sender {
  const { addressRule, timeout = 10_000 } = options
  const resolver = createResolver({ useSystem: !addressRule.isServerPublic })
  const [kept, fresh] = [createAgents(true), createAgents(false)]
  const context = { addressRule, timeout, resolve: options.resolve ?? resolver.resolve, kept, fresh }
  const inFlight = new Set<Promise<SendOutcome>>()
  return {
    send(attempt, { limit = timeout, usesNewConnection = false } = {}) {
      const own = { ...context, timeout: Math.min(limit, timeout), kept: usesNewConnection ? fresh : kept }
      const outcome = tryOnce(attempt, own).finally(() => inFlight.delete(outcome))
      inFlight.add(outcome)
      return outcome
    },
    /** Waits for the attempts in progress. */
    async close() {
      await Promise.all(inFlight)
      resolver.cancel()
      for (const agent of Object.values(kept)) agent.destroy()
    },
  }
}

/** A small buffer. Node.js reads pieces of 64 KB that stay until the next garbage collection: endless responses took 128 KB each. */
const onread = {
  buffer: () => Buffer.allocUnsafeSlow(CHUNK_BYTES),
  callback(this: Socket, size: number, piece: Uint8Array) {
    return this.push(piece.subarray(0, size))
  },
}

/**
 * Idle sockets are closed after 4 s, because receivers commonly close theirs after 5 s. If a name has several addresses, each gets 1.5 s
 * to connect before the next one is tried. With the 250 ms of Node.js, connections to distant or busy receivers fail.
 */
function createAgents(keepAlive: boolean): Agents {
  const options = { keepAlive, timeout: 4_000, autoSelectFamilyAttemptTimeout: 1_500, onread }
  return { 'http:': new http.Agent(options), 'https:': new https.Agent(options) }
}

async function tryOnce(attempt: RequestContent, context: Context): Promise<SendOutcome> {
  const start = performance.now()
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), context.timeout)
  const answer = await reach(attempt, context, deadline.signal)
  clearTimeout(timer)
  const elapsed = performance.now() - start
  const latency_ms = Math.round(elapsed)
  if (typeof answer === 'string') {
    return { ok: false, status_code: null, error: answer, latency_ms, response_excerpt: null }
  }
  const error = judgeStatus(answer.statusCode!)
  const excerpt = await readExcerpt(
    answer,
    Math.min(BODY_TIMEOUT_MS, context.timeout + BODY_GRACE_MS - elapsed),
  )
  return { ok: !error, status_code: answer.statusCode!, error, latency_ms, response_excerpt: excerpt }
}

async function reach(attempt: RequestContent, context: Context, deadline: AbortSignal) {
  const target = await findTarget(attempt.url, context, deadline)
  if (typeof target === 'string') return target
  const scheme = target.url.protocol as keyof Agents
  const first = await post(target, attempt, context.kept[scheme], deadline)
  // Race: the receiver may close an idle socket while we write to it. This is not a failure of the receiver.
  const isStale = 'isStale' in first && first.isStale
  const last = isStale ? await post(target, attempt, context.fresh[scheme], deadline) : first
  return 'isStale' in last ? last.error : last
}

async function findTarget(
  text: string,
  context: Context,
  deadline: AbortSignal,
): Promise<RequestTarget | SendError> {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return 'invalid_url'
  const host = readHost(url)
  const addresses = isIP(host) ? [host] : await resolveBy(deadline, context.resolve, host)
  if (deadline.aborted) return 'timeout'
  if (!addresses.length) return 'dns'
  return addresses.every(context.addressRule.isAllowed) ? { url, addresses } : 'blocked_address'
}

function resolveBy(deadline: AbortSignal, resolve: Resolve, name: string): Promise<string[]> {
  return new Promise(settle => {
    deadline.addEventListener('abort', () => settle([]), { once: true })
    Promise.try(resolve, name).then(settle, () => settle([]))
  })
}

function judgeStatus(status: number): SendError | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'redirect' : 'status'
}

/** Continues reading after the excerpt if the response may be short, so that the socket can be reused. */
function readExcerpt(response: http.IncomingMessage, time: number): Promise<string | null> {
  const maxBytes =
    Number(response.headers['content-length']) > MAX_BODY_BYTES ? MAX_EXCERPT_BYTES : MAX_BODY_BYTES
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    let size = 0
    const timer = setTimeout(stop, time)
    response.on('data', (chunk: Buffer) => {
      if (size < MAX_EXCERPT_BYTES) chunks.push(chunk)
      size += chunk.length
      if (size >= maxBytes) stop()
    })
    for (const end of ['end', 'error', 'close']) response.on(end, stop)
    if (response.destroyed) stop()

    function stop() {
      clearTimeout(timer)
      response.destroy()
      resolve(decodeText(Buffer.concat(chunks).subarray(0, MAX_EXCERPT_BYTES)))
    }
  })
}

/** Text that Postgres can store: valid UTF-8 without NUL, and without a partial character at the end. */
function decodeText(bytes: Buffer) {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\uFFFD') || null
}
