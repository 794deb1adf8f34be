import { Readable } from 'node:stream'
import type { Config } from '../core/config/config.ts'
import { type GuardedClient, NoAnswer, timeoutSignal } from '../core/http/guarded-request.ts'
import type { PushTarget } from './device-queries.ts'
import { encryptPush } from './encrypt-push.ts'
import { type ServerKey, signPush } from './server-key.ts'

/** Sends a notification to the push service of a browser (RFC 8030). */

export interface PushDeps {
  config: Pick<Config, 'publicUrl' | 'mailFrom'>
  client: GuardedClient
  serverKey: ServerKey
}

export interface PushOutcome {
  /** `gone`: the browser is no longer registered. `later`: try again. `refused`: another attempt would fail too. */
  result: 'sent' | 'gone' | 'later' | 'refused'
  /** Null if there was no response. */
  status: number | null
}

const timeoutMs = 10_000

/** Seconds for which the push service keeps a notification for a browser that is not running. */
export const timeToLive = 60 * 60

function judge(status: number): PushOutcome['result'] {
  if (status >= 200 && status < 300) return 'sent'
  if (status === 404 || status === 410) return 'gone'
  return status === 429 || status >= 500 ? 'later' : 'refused'
}

async function post({ config, client, serverKey }: PushDeps, url: URL, id: string, body: Buffer) {
  const response = await client.open({
    url,
    method: 'POST',
    headers: {
      authorization: await signPush(serverKey, config, url),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      'content-length': body.length,
      ttl: timeToLive,
      // A notification that is sent twice replaces itself while the push service still has it.
      topic: id.replaceAll('-', ''),
    },
    body: Readable.from([body]),
    signal: timeoutSignal(timeoutMs),
  })
  response.resume()
  return response.statusCode!
}

const gone: PushOutcome = { result: 'gone', status: null }

/** `id` is the same in every attempt. */
export async function postPush(
  deps: PushDeps,
  target: PushTarget,
  id: string,
  content: object,
): Promise<PushOutcome> {
  const url = URL.parse(target.endpoint)
  if (!url) return gone
  let body: Buffer
  try {
    body = encryptPush(JSON.stringify({ id, ...content }), target)
  } catch {
    // The key of the browser is not a point of the curve.
    return gone
  }
  try {
    const status = await post(deps, url, id, body)
    return { result: judge(status), status }
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    return { result: error.code === 'EBLOCKED' ? 'gone' : 'later', status: null }
  }
}
