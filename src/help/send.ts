import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Moved } from './page.ts'
import type { Theme } from './theme.ts'

/** Forbids all scripts. Images may come from anywhere, everything else only from this server. */
const policyOf = (theme: Theme): string =>
  [
    "default-src 'none'",
    `style-src 'self' '${theme.hash}'`,
    'img-src https: http: data:',
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; ')

const safety = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
}

/** A weak tag, because the same page is sent compressed and uncompressed. */
const tagOf = (text: string): string =>
  `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`

const bare = (tag: string): string => tag.trim().replace(/^W\//, '')

const isKnown = (request: FastifyRequest, tag: string): boolean =>
  (request.headers['if-none-match'] ?? '').split(',').some(one => bare(one) === bare(tag))

const pack = promisify(gzip)
const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i

/** Compresses if the browser accepts it. The pages contain no secrets that the compressed length could reveal. */
async function sendText(request: FastifyRequest, reply: FastifyReply, text: string) {
  const others = reply.getHeader('vary')
  reply.header('vary', others ? `${others}, accept-encoding` : 'accept-encoding')
  if (!takesGzip.test(String(request.headers['accept-encoding'] ?? ''))) return reply.send(text)
  return reply.header('content-encoding', 'gzip').send(await pack(text))
}

/** Sends a text that browsers may cache but must revalidate, so that unpublished articles disappear at once. */
function sendKept(request: FastifyRequest, reply: FastifyReply, text: string) {
  const tag = tagOf(text)
  reply.headers({ etag: tag, 'cache-control': 'public, no-cache' })
  return isKnown(request, tag) ? reply.code(304).send() : sendText(request, reply, text)
}

export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: { html: string; theme: Theme; locale: string },
) {
  reply.type('text/html; charset=utf-8').headers({
    ...safety,
    'content-security-policy': policyOf(page.theme),
    'content-language': page.locale,
  })
  return reply.statusCode === 200 ? sendKept(request, reply, page.html) : sendText(request, reply, page.html)
}

export const sendXml = (request: FastifyRequest, reply: FastifyReply, text: string) =>
  sendKept(request, reply.type('application/xml; charset=utf-8').headers(safety), text)

/** For addresses that contain a hash of the text. */
export const sendImmutable = (request: FastifyRequest, reply: FastifyReply, type: string, text: string) =>
  sendText(
    request,
    reply.type(type).headers({ ...safety, 'cache-control': 'public, max-age=31536000, immutable' }),
    text,
  )

export const sendMoved = (reply: FastifyReply, { status, path }: Moved) =>
  reply
    .code(status)
    .headers({ ...safety, location: path })
    .send()
