import http from 'node:http'
import https from 'node:https'
import type { Readable } from 'node:stream'
import type { ApiMethods, ApiResponse } from '@grammyjs/types'
import type { Agents } from '../../../core/http/guarded-agent.ts'
import { trimEnd } from '../../../core/text/trim.ts'
import { BotApiRefusal, NoAnswer } from './errors.ts'
import { type BotApiFile, type EncodedBody, encodeCall } from './multipart.ts'

/** Calls the Bot API of Telegram, or of a server of the project's own. */

/** Files are named in parameters as attach://NAME. */
type Methods = ApiMethods<string>
export type BotApiMethod = keyof Methods
export type BotApiParams<M extends BotApiMethod> = Parameters<Methods[M]>[0]
export type BotApiResult<M extends BotApiMethod> = ReturnType<Methods[M]>

export const telegramRoot = 'https://api.telegram.org'

export interface BotAccess {
  token: string
  /** Empty for Telegram's own server. */
  apiRoot: string
}

export interface CallOptions {
  files?: BotApiFile[]
  /** Milliseconds until the whole answer must be there. */
  timeoutMs?: number
  signal?: AbortSignal
}

export interface BotApi {
  call<M extends BotApiMethod>(
    method: M,
    params: BotApiParams<M>,
    options?: CallOptions,
  ): Promise<BotApiResult<M>>
  /** Downloads a file whose path getFile has returned. */
  download(path: string, signal?: AbortSignal): Promise<Readable>
}

const callTimeoutMs = 15_000
const uploadTimeoutMs = 180_000

/** The longest answer: a hundred updates. */
const maxAnswerBytes = 20 * 1024 * 1024

const agentOf = (url: URL, { httpAgent, httpsAgent }: Agents): http.Agent =>
  url.protocol === 'https:' ? httpsAgent : httpAgent

interface OpenRequest {
  url: URL
  agents: Agents
  body: EncodedBody | null
  signal: AbortSignal
}

/** Resolves with the answer's headers. Rejects with `NoAnswer`, which says whether the server may have read the whole request. */
function open({ url, agents, body, signal }: OpenRequest): Promise<http.IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
  const { request } = url.protocol === 'https:' ? https : http
  const outgoing = request(url, {
    method: body ? 'POST' : 'GET',
    agent: agentOf(url, agents),
    signal,
    ...(body && { headers: body.headers }),
  })
  let isSent = false
  const fail = (error: Error) => reject(new NoAnswer(error, isSent))
  outgoing.on('finish', () => {
    isSent = true
  })
  outgoing.on('response', resolve)
  outgoing.on('error', fail)
  if (!body) outgoing.end()
  else {
    body.content.on('error', error => outgoing.destroy(error))
    body.content.pipe(outgoing)
  }
  return promise
}

async function readText(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response) {
      const bytes = Buffer.from(chunk)
      size += bytes.length
      if (size > maxAnswerBytes) throw new Error('The answer is too long')
      chunks.push(bytes)
    }
  } catch (error) {
    throw new NoAnswer(error, true)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** A proxy may answer in the place of the server, without JSON. */
function parseAnswer<T>(text: string, status: number): ApiResponse<T> {
  try {
    const answer: ApiResponse<T> = JSON.parse(text)
    if (typeof answer === 'object' && answer !== null && typeof answer.ok === 'boolean') return answer
  } catch {
    // Falls through.
  }
  return { ok: false, error_code: status, description: http.STATUS_CODES[status] ?? `Status ${status}` }
}

export function createBotApi({ token, apiRoot }: BotAccess, agents: Agents): BotApi {
  const root = trimEnd(apiRoot || telegramRoot, /\//)
  const signalOf = (timeoutMs: number, signal: AbortSignal | undefined): AbortSignal =>
    AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])])
  return {
    async call<M extends BotApiMethod>(method: M, params: BotApiParams<M>, options: CallOptions = {}) {
      const { files = [], timeoutMs = files.length ? uploadTimeoutMs : callTimeoutMs, signal } = options
      const body = await encodeCall({ ...params }, files)
      const url = new URL(`${root}/bot${token}/${method}`)
      const response = await open({ url, agents, body, signal: signalOf(timeoutMs, signal) })
      const answer = parseAnswer<BotApiResult<M>>(await readText(response), response.statusCode ?? 0)
      if (answer.ok) return answer.result
      throw new BotApiRefusal(answer)
    },
    async download(path, signal) {
      const url = new URL(`${root}/file/bot${token}/${path}`)
      const response = await open({ url, agents, body: null, signal: signalOf(uploadTimeoutMs, signal) })
      const status = response.statusCode ?? 0
      if (status === 200) return response
      response.resume()
      throw new BotApiRefusal({ ok: false, error_code: status, description: 'The file cannot be downloaded' })
    },
  }
}
