import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { root } from './core/config.ts'
import { BriefError } from './core/errors.ts'

/** The dashboard, as web/build.ts leaves it: one page for its own addresses, and the files that this page asks for. */

const built = join(root, 'web/dist/dashboard')

/** The browser's own router knows what is below these. */
const pages = ['/', '/sign-in', '/link/:token', '/account', '/account/*', '/p/:project', '/p/:project/*']

const policyOf = (nonce: string): string =>
  [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob: https:",
    "connect-src 'self'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')

const fence = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

const inbox = /^\/p\/([\w-]+)\/inbox(?:\/([\w-]+)(?:\/(\d+))?)?\/?$/

/** What an inbox asks for first, in the very words of its page: tickets/preload.ts. */
function* firstAnswers(path: string): Generator<string> {
  yield '/me'
  const [, id, view, number] = inbox.exec(path) ?? []
  const project = `/projects/${id}`
  if (id) yield `${project}/views`
  if (view) yield `${project}/tickets?view=${view}&count=false&page_size=40`
  if (!number) return
  yield `${project}/tickets/${number}`
  yield `${project}/tickets/${number}/messages?order=desc&page_size=40&count=false`
}

/** The browser asks for those beside the page's program. Who has no session gets none of them. */
function printLinks({ url, headers }: FastifyRequest): string {
  if (!/\bdeskbell\.session_token=/.test(headers.cookie ?? '')) return ''
  return [...firstAnswers(url)]
    .map(
      path =>
        `<link rel="preload" as="fetch" crossorigin href="/api/dashboard${path.replaceAll('&', '&amp;')}">`,
    )
    .join('')
}

const missing =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Deskbell</title>' +
  '<p>The dashboard is not built on this server. Start it with <code>npm start</code>, which builds it, ' +
  'with the packages for developers installed (<code>npm ci --include=dev</code>).'

const orNull = (error: { code?: string }): null => {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
  throw error
}

const read = (...path: string[]): Promise<Buffer | null> => readFile(join(built, ...path)).catch(orNull)

/** Read anew each time: another process may have built a newer one. */
async function sendPage(request: FastifyRequest, reply: FastifyReply) {
  const nonce = randomBytes(16).toString('base64')
  reply.headers({ ...fence, 'cache-control': 'no-cache', 'content-security-policy': policyOf(nonce) })
  reply.type('text/html; charset=utf-8')
  const page = await read('index.html')
  if (!page) return reply.code(503).send(missing)
  // Behind the program itself, which needs the few connections of the browser first.
  return page
    .toString()
    .replaceAll('__NONCE__', nonce)
    .replace('</head>', `${printLinks(request)}</head>`)
}

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
}

const encodings = {
  br: /\bbr\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i,
  gz: /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i,
}
const names = { br: 'br', gz: 'gzip' }

/** The smallest of the packed ones that the browser takes, else the file itself. */
async function readPacked(request: FastifyRequest, name: string) {
  const taken = String(request.headers['accept-encoding'] ?? '')
  for (const ending of ['br', 'gz'] as const) {
    const bytes = encodings[ending].test(taken) ? await read('assets', `${name}.${ending}`) : null
    if (bytes) return { bytes, encoding: names[ending] }
  }
  return { bytes: await read('assets', name), encoding: null }
}

const assetName = /^[\w-]+(?:\.[\w-]+)*\.(\w+)$/

async function sendAsset(request: FastifyRequest, reply: FastifyReply) {
  const { name } = request.params as { name: string }
  const type = types[assetName.exec(name)?.[1] ?? '']
  const { bytes, encoding } = type ? await readPacked(request, name) : { bytes: null, encoding: null }
  if (!bytes) throw new BriefError('not_found')
  // The name holds a hash of the content.
  const etag = `"${name}${encoding ? `-${encoding}` : ''}"`
  reply.headers({
    ...fence,
    etag,
    vary: 'accept-encoding',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  if (encoding) reply.header('content-encoding', encoding)
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  return reply.type(type!).send(bytes)
}

export function showDashboard(app: FastifyInstance): void {
  for (const path of pages) app.get(path, sendPage)
  app.get('/assets/:name', sendAsset)
}
