import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { AddressRule } from '../core/http/address.ts'
import { createAgents, type SenderAgents } from './agents.ts'
import { createResolver, type Resolve, readHost } from './resolve.ts'
import { judgeStatus, nameError, readExcerpt, type SendError, type SendOutcome } from './response.ts'

/** `addresses` have passed the address rule. */
type RequestTarget = { url: URL; addresses: string[] }
export type RequestContent = { url: string; headers: Record<string, string>; body: Buffer }
/** `isStale`: a reused idle socket died before the first byte of a response. */
type RequestFailure = { error: SendError; isStale: boolean }

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

type Context = {
  addressRule: AddressRule
  timeout: number
  resolve: Resolve
  kept: SenderAgents
  fresh: SenderAgents
}

const BODY_TIMEOUT_MS = 1_000
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
  const scheme = target.url.protocol === 'http:' ? 'http:' : 'https:'
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

/** Sends one POST over one connection, up to the end of the response headers. */
function post(target: RequestTarget, attempt: RequestContent, agent: http.Agent, signal: AbortSignal) {
  return new Promise<http.IncomingMessage | RequestFailure>(settle => {
    const progress: Parameters<typeof watch>[1] = { stage: 'connect', isAnswered: false }
    const fail = (error: unknown, isReused: boolean) =>
      settle({
        error: signal.aborted ? 'timeout' : nameError(error, progress.stage),
        isStale: isReused && !progress.isAnswered && !signal.aborted,
      })
    try {
      const request = openRequest(target, attempt, agent, signal)
      request.on('socket', () => watch(request, progress))
      request.on('response', response => {
        // A response may arrive before the whole body has been written. The socket would then wait for ever to write the rest.
        response.once('close', () => request.writableFinished || request.destroy())
        settle(response)
      })
      request.on('upgrade', response => settle(response.destroy()))
      request.on('error', error => fail(error, request.reusedSocket))
      request.end(attempt.body)
    } catch (error) {
      fail(error, false)
    }
  })
}

function openRequest(
  { url, addresses }: RequestTarget,
  attempt: RequestContent,
  agent: http.Agent,
  signal: AbortSignal,
) {
  const host = readHost(url)
  return (url.protocol === 'https:' ? https : http).request({
    method: 'POST',
    host,
    port: url.port || undefined,
    path: url.pathname + url.search,
    auth: readCredentials(url),
    headers: {
      Host: url.host,
      'User-Agent': 'Deskbell/1',
      'Content-Length': attempt.body.length,
      ...attempt.headers,
    },
    agent,
    signal,
    lookup: answerWith(addresses),
    servername: isIP(host) ? '' : host,
    rejectUnauthorized: true,
  })
}

/** Gives the socket only the checked addresses, so that nothing is resolved a second time. */
function answerWith(addresses: string[]): LookupFunction {
  const records = addresses.map(address => ({ address, family: isIP(address) }))
  return (_name, options, callback) =>
    options.all ? callback(null, records) : callback(null, records[0]!.address, records[0]!.family)
}

function readCredentials({ username, password }: URL) {
  if (!username && !password) return undefined
  try {
    return decodeURIComponent(`${username}:${password}`)
  } catch {
    return `${username}:${password}`
  }
}

function watch(request: http.ClientRequest, progress: { stage: SendError; isAnswered: boolean }) {
  const socket = request.socket!
  if (request.reusedSocket) progress.stage = 'reset'
  else {
    const isSecure = request.protocol === 'https:'
    socket.once('connect', () => {
      progress.stage = isSecure ? 'tls' : 'reset'
    })
    socket.once('secureConnect', () => {
      progress.stage = 'reset'
    })
  }
  socket.prependOnceListener('data', () => {
    progress.isAnswered = true
  })
}
