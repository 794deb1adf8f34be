import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Compresses responses where it is worthwhile and their length reveals no secret: decision 51. */

export type Encoding = 'br' | 'gzip'

/** The encodings that a client accepts, best compression first. Encodings with a quality of 0 are left out. */
export function listEncodings(headers: IncomingHttpHeaders): Encoding[] {
  const named = String(headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map(one => one.split(';').map(part => part.trim()))
  const taken = named.filter(([, quality = '']) => !/^q=0(?:\.0*)?$/.test(quality)).map(([name]) => name)
  return (['br', 'gzip'] as const).filter(encoding => taken.includes(encoding))
}

/** Bytes. A response that fits into one packet would not arrive sooner. */
const minBytes = 1_400

const isText = (type: unknown): boolean =>
  /^(?:text\/(?!event-stream)|application\/json|image\/svg)/.test(String(type))

const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)]
const compressors: Record<Encoding, (bytes: Buffer | string) => Promise<Buffer>> = {
  br: bytes => brotli(bytes, quality),
  gzip: bytes => zip(bytes),
}

/**
 * With a cookie, a page of another site could make the browser repeat requests with text of its choice in the URL, and learn from
 * the lengths of the responses what else they contain (BREACH).
 */
const isFromOwnPage = ({ headers }: FastifyRequest): boolean =>
  headers.cookie === undefined || /^(?:same-origin|none)$/.test(String(headers['sec-fetch-site']))

export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload)
    if (!isWhole || Buffer.byteLength(payload) < minBytes || !isText(reply.getHeader('content-type')))
      return payload
    if (reply.hasHeader('content-encoding')) return payload
    const vary = new Set(
      String(reply.getHeader('vary') ?? '')
        .split(/, ?/)
        .filter(Boolean),
    )
    reply.header('vary', [...vary.add('accept-encoding')].join(', '))
    const [encoding] = listEncodings(request.headers)
    if (!encoding || !isFromOwnPage(request)) return payload
    reply.header('content-encoding', encoding).removeHeader('content-length')
    return compressors[encoding](payload)
  })
}
