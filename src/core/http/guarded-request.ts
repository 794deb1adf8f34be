import http from 'node:http'
import https from 'node:https'
import type { Readable } from 'node:stream'
import type { Config } from '../config/config.ts'
import { addressRuleOf } from './address.ts'
import { type Agents, createGuardedAgents } from './guarded-agent.ts'

/** Requests to servers whose addresses projects enter, such as those of messengers. The rules for webhook targets apply to these addresses. */

/** Enough for the longest answer of a messenger. */
const maxAnswerBytes = 8 * 1024 * 1024

/** The limit for all answers that are being read at the same time: projects' own servers can send anything. */
const maxReadingBytes = 128 * 1024 * 1024
let readingBytes = 0

const readErrorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** A request got no answer. */
export class NoAnswer extends Error {
  /** For example, ECONNREFUSED; empty if unknown. */
  readonly code: string
  /** Whether the server may have acted on the request. */
  readonly isSent: boolean

  constructor(cause: unknown, isSent: boolean) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.code = readErrorCode(cause)
    this.isSent = isSent
  }
}

export interface GuardedRequest {
  url: URL
  method: string
  headers?: Record<string, string | number>
  body?: Readable | undefined
  signal: AbortSignal
}

export interface GuardedClient {
  /** Resolves with the answer's headers. Rejects with `NoAnswer`, which says whether the server may have read the whole request. */
  open(request: GuardedRequest): Promise<http.IncomingMessage>
  close(): void
}

/** Idle connections are closed after 4 s, before servers close them. */
const agentOptions = {
  keepAlive: true,
  timeout: 4_000,
  autoSelectFamilyAttemptTimeout: 1_500,
}

function send({ url, method, headers, body, signal }: GuardedRequest, { httpAgent, httpsAgent }: Agents) {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
  const isSecure = url.protocol === 'https:'
  const { request } = isSecure ? https : http
  const agent = isSecure ? httpsAgent : httpAgent
  const outgoing = request(url, { method, agent, signal, ...(headers && { headers }) })
  let isSent = false
  outgoing.on('finish', () => {
    isSent = true
  })
  outgoing.on('response', resolve)
  outgoing.on('error', error => reject(new NoAnswer(error, isSent)))
  if (!body) outgoing.end()
  else {
    body.on('error', error => outgoing.destroy(error))
    body.pipe(outgoing)
  }
  return promise
}

/** The agents are created on first use, because the docs are generated without settings. */
export function createGuardedClient({
  config,
}: {
  config: Pick<Config, 'publicUrl' | 'webhookAllowedCidrs'>
}): GuardedClient {
  let agents: Agents | null = null
  return {
    open(request) {
      agents ??= createGuardedAgents(agentOptions, addressRuleOf(config).isAllowed)
      return send(request, agents)
    },
    close() {
      agents?.httpAgent.destroy()
      agents?.httpsAgent.destroy()
    },
  }
}

/** Rejects with `NoAnswer` if the answer is too long or ends early. */
export async function readAnswer(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response) {
      const bytes = Buffer.from(chunk)
      size += bytes.length
      readingBytes += bytes.length
      if (size > maxAnswerBytes || readingBytes > maxReadingBytes) throw new Error('The answer is too long')
      chunks.push(bytes)
    }
  } catch (error) {
    throw new NoAnswer(error, true)
  } finally {
    readingBytes -= size
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Ends after `timeoutMs`, or when another signal ends. */
export const timeoutSignal = (timeoutMs: number, signal?: AbortSignal): AbortSignal =>
  AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])])
