import type http from 'node:http'
import { codeOf } from '../core/thrown.ts'

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

export type SendOutcome = {
  ok: boolean
  status_code: number | null
  error: SendError | null
  /** Milliseconds until the status arrived or the attempt failed. */
  latency_ms: number
  /** The first KB of the response body as text; null without a response or a body. */
  response_excerpt: string | null
}

const MAX_BODY_BYTES = 64 * 1024
const MAX_EXCERPT_BYTES = 1024

export function judgeStatus(status: number): SendError | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'redirect' : 'status'
}

/** Continues reading after the excerpt if the response may be short, so that the socket can be reused. */
export function readExcerpt(response: http.IncomingMessage, time: number): Promise<string | null> {
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

/** `stage` is what fails if the error says nothing more. */
export function nameError(error: unknown, stage: SendError): SendError {
  const code = codeOf(error)
  return /^(HPE_|ERR_HTTP|ERR_INVALID)/.test(code) ? 'protocol' : stage
}
