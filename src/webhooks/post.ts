import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'

export const SEND_ERRORS = [
  { error: 'invalid_url', meaning: 'the URL is not valid, or is neither http nor https' },
  { error: 'dns', meaning: 'the host name has no address' },
  { error: 'blocked_address', meaning: 'webhooks may not be sent to this address' },
  { error: 'connect', meaning: 'no connection: refused or unreachable' },
  { error: 'tls', meaning: 'no secure connection: the certificate or the handshake failed' },
  {
    error: 'timeout',
    meaning: 'no complete response headers within the time limit, which includes the name look-up',
  },
  { error: 'reset', meaning: 'the connection closed before a response' },
  { error: 'protocol', meaning: 'the response is not HTTP/1.1' },
  { error: 'redirect', meaning: 'a 3xx response; redirects are not followed' },
  { error: 'status', meaning: 'a response with a status other than 2xx or 3xx' },
] as const

export type SendError = (typeof SEND_ERRORS)[number]['error']
/** `addresses` have passed the address rule. */
export type RequestTarget = { url: URL; addresses: string[] }
export type RequestContent = { url: string; headers: Record<string, string>; body: Buffer }
/** `isStale`: a reused idle socket died before the first byte of a response. */
export type RequestFailure = { error: SendError; isStale: boolean }

/** The host without brackets and trailing dot. URL has already turned 0x7f.1 and the like into 127.0.0.1. */
export function readHost(url: URL) {
  return url.hostname.replace(/^\[|\]$|\.$/g, '')
}

/** Sends one POST over one connection, up to the end of the response headers. */
export function post(target: RequestTarget, attempt: RequestContent, agent: http.Agent, signal: AbortSignal) {
  return new Promise<http.IncomingMessage | RequestFailure>(settle => {
    const progress = { stage: 'connect' as SendError, isAnswered: false }
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

function nameError(error: unknown, stage: SendError): SendError {
  const code = String((error as NodeJS.ErrnoException).code)
  return /^(HPE_|ERR_HTTP|ERR_INVALID)/.test(code) ? 'protocol' : stage
}
