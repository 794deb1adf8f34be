import { randomUUID } from 'node:crypto'
import build, { type AnySchema } from 'fast-json-stringify'
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify'
import { type Brief, briefs, invalidHeader } from '../errors.ts'
import { parseJson } from '../json.ts'
import { logAs } from '../telemetry/log.ts'
import { followRequests } from '../telemetry/trace.ts'
import { compressAnswers } from './compress.ts'
import { answerBrief, failWith, isStreamed, maxBodyBytes, wrongType } from './failures.ts'
import { hideUnusualMethod, restoreUnusualMethods } from './methods.ts'
import { measureRequests } from './request-times.ts'

/** Milliseconds within which a body must arrive. Operations that read it as a stream have their own limits. */
const bodyTimeout = 60_000

/** Node's own limit, longer than any operation takes: the last resort. */
const requestTimeout = 30 * 60_000

const ownRequestId = /^[\x21-\x7e]{1,200}$/
const newRequestId = () => randomUUID().replaceAll('-', '')

const requestIdOf = (sent: string | string[] | undefined): string =>
  typeof sent === 'string' && ownRequestId.test(sent) ? sent : newRequestId()

const rawErrors: Record<string, Brief> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** Answers what Node.js refuses before there is a request. The response is written by hand, including X-Request-ID. */
function answerRaw(error: { code?: string }, socket: import('node:net').Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, detail] = briefs[rawErrors[error.code ?? ''] ?? 'bad_request']
  const body = JSON.stringify({ detail })
  socket.end(
    `HTTP/1.1 ${status} ${detail}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `cache-control: no-store\r\nx-request-id: ${newRequestId()}\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  )
}

type Parsed = (error: Error | null, body?: unknown) => void

function readBody(request: FastifyRequest, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  const { 'content-encoding': encoding = '', 'content-type': sent = 'application/json' } = request.headers
  if (!/^(identity)?$/i.test(encoding))
    throw invalidHeader('content-encoding', 'content_encoding', 'Send the body uncompressed', encoding)
  const type = sent.split(';')[0]!.trim().toLowerCase()
  if (type !== 'application/json' && !type.endsWith('+json')) throw wrongType(sent)
  return parseJson(bytes)
}

/** Some clients send an absolute URL in the request line. Its host is ignored. */
const withoutOrigin = (url: string): string => {
  const path = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '')
  return path.startsWith('/') || path === url ? path : `/${path}`
}

/** Treats broken %-escapes as literal text, so that such a path passes every check and ends as a missing record. */
function readableUrl(url: string): string {
  if (!url.includes('%')) return url
  const [path = '', ...query] = url.split('?')
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?')
  }
}

/** Ends a request whose body does not arrive, as Node would after `requestTimeout`. */
function boundBody({ raw }: FastifyRequest): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers
  if (encoding === undefined && (length === undefined || length === '0')) return
  const timer = setTimeout(() => {
    answerRaw({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, raw.socket)
    raw.socket.destroySoon()
  }, bodyTimeout)
  raw.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
}

interface ServerOptions {
  log: FastifyBaseLogger
  trustProxy: string[]
  isForFullDisk(error: unknown): boolean
}

/** The server without its routes: request ids, bodies, errors. */
export function createServer(options: ServerOptions): FastifyInstance {
  const app = fastify({
    loggerInstance: options.log,
    // `logAs` adds the request to every line, including those of other code that logs for it.
    childLoggerFactory: log => log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: options.trustProxy.length ? options.trustProxy : false,
    genReqId: request => requestIdOf(request.headers['x-request-id']),
    requestIdHeader: false,
    bodyLimit: maxBodyBytes,
    // Node.js itself would refuse a request without Host, and its response would have no X-Request-ID.
    http: { requireHostHeader: false, headersTimeout: 40_000 },
    routerOptions: { maxParamLength: 16_384 },
    keepAliveTimeout: 75_000,
    requestTimeout,
    clientErrorHandler: answerRaw,
    rewriteUrl: request => {
      hideUnusualMethod(request)
      return readableUrl(withoutOrigin(request.url ?? '/'))
    },
  })
  restoreUnusualMethods(app)
  // Node.js itself would answer 417 to any Expect except 100-continue, without X-Request-ID.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) =>
    readBody(request, bytes),
  )
  app.addContentTypeParser('multipart/form-data', (request: FastifyRequest, _body: unknown, done: Parsed) =>
    isStreamed(request) ? done(null) : done(wrongType(request.headers['content-type'])),
  )
  app.setSerializerCompiler(({ schema }) => {
    // Built at its first use, like the validators.
    let print: ((answer: unknown) => string) | undefined
    return answer => {
      print ??= build(schema as AnySchema)
      return print(answer)
    }
  })
  compressAnswers(app)
  measureRequests(app)
  followRequests(app)
  app.addHook('onRequest', (request, reply, done) => {
    if (!isStreamed(request)) boundBody(request)
    reply.headers({ 'x-request-id': request.id, 'cache-control': 'no-store' })
    logAs(request.id, done)
  })
  app.setErrorHandler(failWith(options.isForFullDisk))
  app.setNotFoundHandler((_request, reply) => answerBrief(reply, 'not_found'))
  return app
}
