import { STATUS_CODES } from 'node:http'
import type { Readable } from 'node:stream'
import type { ApiMethods, ApiResponse } from '@grammyjs/types'
import { type GuardedClient, readAnswer, timeoutSignal } from '../../../core/http/guarded-request.ts'
import { trimEnd } from '../../../core/text/trim.ts'
import { BotApiRefusal } from './errors.ts'
import { type BotApiFile, encodeCall } from './multipart.ts'

/** Calls the Bot API on Telegram's server or on a project's own server. */

/** Parameters refer to files as attach://NAME. */
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
  /** Milliseconds within which the whole answer must arrive. */
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

/** Null if it is not a Bot API answer, for example because a proxy answered instead of the server. */
function parseAnswer<T>(text: string): ApiResponse<T> | null {
  try {
    const answer: ApiResponse<T> = JSON.parse(text)
    if (typeof answer === 'object' && answer !== null && typeof answer.ok === 'boolean') return answer
  } catch {
    // Not JSON.
  }
  return null
}

const refuseByProxy = (status: number): BotApiRefusal => {
  const description = STATUS_CODES[status] ?? `Status ${status}`
  return new BotApiRefusal({ ok: false, error_code: status, description }, true)
}

export function createBotApi({ token, apiRoot }: BotAccess, client: GuardedClient): BotApi {
  const root = trimEnd(apiRoot || telegramRoot, /\//)
  return {
    async call<M extends BotApiMethod>(method: M, params: BotApiParams<M>, options: CallOptions = {}) {
      const { files = [], timeoutMs = files.length ? uploadTimeoutMs : callTimeoutMs, signal } = options
      const { headers, content } = await encodeCall({ ...params }, files)
      const response = await client.open({
        ...{ method: 'POST', url: new URL(`${root}/bot${token}/${method}`), headers, body: content },
        signal: timeoutSignal(timeoutMs, signal),
      })
      const answer = parseAnswer<BotApiResult<M>>(await readAnswer(response))
      if (!answer) throw refuseByProxy(response.statusCode ?? 0)
      if (answer.ok) return answer.result
      throw new BotApiRefusal(answer)
    },
    async download(path, signal) {
      const url = new URL(`${root}/file/bot${token}/${path}`)
      const response = await client.open({
        ...{ method: 'GET', url, signal: timeoutSignal(uploadTimeoutMs, signal) },
      })
      const status = response.statusCode ?? 0
      if (status === 200) return response
      response.resume()
      const isFromProxy = !response.headers['content-type']?.includes('json')
      const description = 'The file cannot be downloaded'
      throw new BotApiRefusal({ ok: false, error_code: status, description }, isFromProxy)
    },
  }
}
