import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { readLimited } from '../../core/async/read-limited.ts'
import { errorOf } from '../../core/thrown.ts'
import { UserError } from '../../core/user-error.ts'

/** Calls the Zendesk API. A call waits when Zendesk asks it to, and is repeated when Zendesk does not answer. */

export interface ZendeskAccess {
  /** Such as `https://acme.zendesk.com`. */
  url: string
  email: string
  /** An API token. */
  token: string
  /** Milliseconds before the first retry; each later pause is twice as long. */
  retryMs?: number
}

export interface ZendeskClient {
  origin: string
  /** Returns null if Zendesk does not have the record. */
  find<S extends TSchema>(path: string, shape: S): Promise<Static<S> | null>
  get<S extends TSchema>(path: string, shape: S): Promise<Static<S>>
  /** Downloads a file to `path`. Returns false if Zendesk does not have it. Throws TooLargeError if it has more than `maxBytes`. */
  download(url: string, path: string, maxBytes: number): Promise<boolean>
}

export class TooLargeError extends Error {}

const answerTimeoutMs = 120_000
const maxAnswerBytes = 128 * 1024 * 1024
const maxTries = 8
/** The longest time that a call waits when Zendesk asks it to. A longer pause would look as if the import had stopped. */
const maxPauseMs = 10 * 60_000

const isGone = ({ status }: Response): boolean => status === 404 || status === 410

function refuseStatus(url: URL, { status }: Response): never {
  if (status === 401 || status === 403)
    throw new UserError(
      `Zendesk refused ${url.pathname} (${status}): check --email and the token; the user must be an admin`,
    )
  throw new UserError(`Zendesk answered ${url.pathname} with status ${status}; run the command again later`)
}

/** The seconds in the header Retry-After; null if there is none. */
const retryAfter = ({ headers }: Response): number | null => {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null
}

interface Call<T> {
  access: ZendeskAccess
  signal: AbortSignal
  url: URL
  /** Reads the body of a successful response. */
  take(body: Readable): Promise<T>
}

/** `body` is null if the response was not successful. */
interface Answer<T> {
  response: Response
  body: T | null
}

/** Makes one attempt. The token is sent only to Zendesk; `fetch` drops it when a redirect leads to another host. */
async function request<T>({ access, signal, url, take }: Call<T>): Promise<Answer<T>> {
  const basic = Buffer.from(`${access.email}/token:${access.token}`).toString('base64')
  const isOwn = url.origin === new URL(access.url).origin
  const response = await fetch(url, {
    headers: isOwn ? { authorization: `Basic ${basic}` } : {},
    signal: AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)]),
  })
  if (new URL(response.url).protocol !== new URL(access.url).protocol) {
    await response.body?.cancel()
    throw new UserError(`Zendesk redirected ${url.pathname} to an address without https; check --url`)
  }
  if (response.ok && response.body) return { response, body: await take(Readable.fromWeb(response.body)) }
  await response.body?.cancel()
  return { response, body: null }
}

const isTemporary = ({ status }: Response): boolean => status === 429 || status >= 500

/** Repeats a call until Zendesk answers, at most `maxTries` times. */
async function call<T>(one: Call<T>): Promise<Answer<T>> {
  const { retryMs = 1_000 } = one.access
  for (let tries = 1; ; tries++) {
    const tried = await request(one).catch(errorOf)
    one.signal.throwIfAborted()
    if (tried instanceof TooLargeError) throw tried
    if (!(tried instanceof Error) && !isTemporary(tried.response)) return tried
    if (tries === maxTries) {
      if (!(tried instanceof Error)) refuseStatus(one.url, tried.response)
      throw new UserError(
        `Zendesk did not answer ${one.url.pathname}: ${tried.message}; run the command again`,
      )
    }
    const seconds = tried instanceof Error ? null : retryAfter(tried.response)
    const pauseMs = seconds === null ? retryMs * 2 ** (tries - 1) : seconds * 1_000
    await sleep(Math.min(pauseMs, maxPauseMs), undefined, { signal: one.signal })
  }
}

async function* limit(body: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new TooLargeError(`The file has more than ${maxBytes} bytes`)
    yield chunk
  }
}

function parse<S extends TSchema>(url: URL, bytes: Buffer, shape: S): Static<S> {
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new UserError(`${url.origin} did not answer ${url.pathname} with JSON; check --url`)
  }
  if (Value.Check(shape, value)) return value
  const [error] = Value.Errors(shape, value)
  throw new UserError(
    `Zendesk's answer to ${url.pathname} has an unexpected format (${error?.instancePath} ${error?.message}); check --url`,
  )
}

export function createZendeskClient(access: ZendeskAccess, signal: AbortSignal): ZendeskClient {
  const find = async <S extends TSchema>(path: string, shape: S): Promise<Static<S> | null> => {
    const url = new URL(path, access.url)
    const { response, body } = await call({
      access,
      signal,
      url,
      take: one => readLimited(one, maxAnswerBytes),
    })
    if (isGone(response)) return null
    return body ? parse(url, body, shape) : refuseStatus(url, response)
  }
  return {
    origin: new URL(access.url).origin,
    find,
    async get(path, shape) {
      const found = await find(path, shape)
      if (found === null) throw new UserError(`${access.url} has no ${path.split('?')[0]}; check --url`)
      return found
    },
    async download(address, path, maxBytes) {
      const url = new URL(address, access.url)
      const take = async (body: Readable) => {
        await pipeline(limit(body, maxBytes), createWriteStream(path))
        return true
      }
      const { response, body } = await call({ access, signal, url, take })
      return body ?? (isGone(response) ? false : refuseStatus(url, response))
    },
  }
}
