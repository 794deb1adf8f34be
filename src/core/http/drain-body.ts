import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Many clients read nothing until they have sent everything. */
const drainTimeoutMs = 30_000

async function* sendAndDrain(answer: string, request: IncomingMessage): AsyncGenerator<Buffer> {
  yield Buffer.from(answer)
  request.resume()
  await finished(request, { writable: false, signal: AbortSignal.timeout(drainTimeoutMs) }).catch(() => {})
}

/**
 * Answers a request whose body has not arrived completely. The response is sent at once, then the rest of the body is read and
 * discarded for a while. Closing with unread bytes would reset the connection, and the client would never see the response.
 */
export async function drainBody(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  if (request.raw.complete || typeof payload !== 'string') return payload
  reply.headers({ connection: 'close', 'content-length': Buffer.byteLength(payload) })
  return Readable.from(sendAndDrain(payload, request.raw))
}
