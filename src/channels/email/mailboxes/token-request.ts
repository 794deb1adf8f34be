import http from 'node:http'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import { createGuardedAgents, type MayReach } from '../../../core/http/guarded-agent.ts'
import { asRecord } from '../../../core/objects.ts'
import { readBounded } from './read-bounded.ts'

export interface TokenResponse {
  status: number
  body: Record<string, unknown>
  /** How long the server asked to wait, in milliseconds. */
  waitMs: number | undefined
}

/** Milliseconds. */
const timeoutMs = 15_000
const maxResponseBytes = 256 * 1024

function parse(content: string): Record<string, unknown> {
  try {
    return asRecord(JSON.parse(content))
  } catch {
    return {}
  }
}

const readWait = (header = ''): number | undefined =>
  /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : undefined

/** Posts a form to a provider's token endpoint, without following redirects. */
export async function requestToken(
  url: string,
  fields: Record<string, string>,
  mayReach: MayReach,
): Promise<TokenResponse> {
  const { httpAgent, httpsAgent } = createGuardedAgents({ keepAlive: false }, mayReach)
  const isSecure = url.startsWith('https:')
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
  const request = (isSecure ? https : http).request(url, {
    method: 'POST',
    agent: isSecure ? httpsAgent : httpAgent,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    signal: AbortSignal.timeout(timeoutMs),
  })
  request.once('response', resolve).once('error', reject).end(new URLSearchParams(fields).toString())
  const response = await promise
  return {
    status: response.statusCode ?? 0,
    body: parse(await text(readBounded(response, maxResponseBytes))),
    waitMs: readWait(response.headers['retry-after']),
  }
}
