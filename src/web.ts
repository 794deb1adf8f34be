import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { framingHeaders, openBuiltFolder } from './built-files.ts'
import type { Config } from './core/config/config.ts'
import { BriefError } from './core/errors.ts'
import { fontPreload } from './core/fonts/fonts.ts'

/** Serves the built dashboard: one page for all its URLs, and its files. */

const { read, sendAsset } = openBuiltFolder('web/dist/dashboard')

/** The URLs of the page. The router in the browser handles everything below them. */
const pages = ['/', '/sign-in', '/link/:token', '/account', '/account/*', '/p/:project', '/p/:project/*']

const policyOf = (nonce: string, sources: string): string =>
  [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    // Files of projects with their own bucket. If pages use http, the bucket may use it too.
    `img-src 'self' data: blob: ${sources}`,
    `media-src 'self' blob: ${sources}`,
    "connect-src 'self'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')

const inbox = /^\/p\/([\w-]+)\/inbox(?:\/([\w-]+)(?:\/(\d+))?)?\/?$/

/** The first API calls of an inbox, exactly as its page makes them: see inbox/preload.ts. */
function* firstAnswers(path: string): Generator<string> {
  // These pages do not make the call at once, and would later take the preloaded response for one after the sign-in.
  if (/^\/(sign-in|link)\b/.test(path)) return
  yield '/me'
  const [, id, view, number] = inbox.exec(path) ?? []
  const project = `/projects/${id}`
  if (id) yield `${project}/views`
  if (view) yield `${project}/tickets?view=${view}&count=false&page_size=40`
  if (!number) return
  yield `${project}/tickets/${number}`
  yield `${project}/tickets/${number}/messages?order=desc&page_size=40&count=false`
}

/** Preload links, so that the browser makes these calls in parallel to loading the script. None without a session. */
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

/** Reads the page each time, because another process may have built a newer one. */
async function sendPage(sources: string, request: FastifyRequest, reply: FastifyReply) {
  const nonce = randomBytes(16).toString('base64')
  reply.headers({
    ...framingHeaders,
    'cache-control': 'no-cache',
    'content-security-policy': policyOf(nonce, sources),
  })
  reply.type('text/html; charset=utf-8')
  const page = await read('index.html')
  if (!page) return reply.code(503).send(missing)
  // After the script, which needs the browser's few connections first.
  return page
    .toString()
    .replaceAll('__NONCE__', nonce)
    .replace('</head>', `${fontPreload}${printLinks(request)}</head>`)
}

/** The service worker, which only shows notifications. Browsers look for a new version at each start. */
async function sendWorker(reply: FastifyReply) {
  const worker = await read('service-worker.js')
  if (!worker) throw new BriefError('not_found')
  reply.headers({
    ...framingHeaders,
    'cache-control': 'no-cache',
    'content-security-policy': "default-src 'none'",
  })
  return reply.type('text/javascript; charset=utf-8').send(worker)
}

export function showDashboard(app: FastifyInstance, { publicUrl }: Pick<Config, 'publicUrl'>): void {
  const sources = publicUrl.startsWith('https:') ? 'https:' : 'https: http:'
  for (const path of pages) app.get(path, (request, reply) => sendPage(sources, request, reply))
  app.get('/assets/:name', sendAsset)
  app.get('/service-worker.js', (_, reply) => sendWorker(reply))
}
