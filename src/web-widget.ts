import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { framingHeaders, openBuiltFolder } from './built-files.ts'
import { findAppearance, recordSeenOnSite } from './channels/widget/config.ts'
import { findFrame } from './channels/widget/frame.ts'
import type { Config } from './core/config/config.ts'
import { sha256 } from './core/crypto.ts'
import type { Db } from './core/db/db.ts'
import { despiteFullDisk } from './core/db/full-disk.ts'
import { BriefError } from './core/errors.ts'
import { fontPreload } from './core/fonts/fonts.ts'
import { paramOf } from './core/http/param.ts'
import { stringOf } from './core/objects.ts'
import { escapeHtml } from './core/text/markdown.ts'
import type { Limiter } from './limits/limiter.ts'
import { spendAddressBudget } from './limits/rate-limit.ts'
import { listBucketOrigins } from './media/media.ts'

/** Serves the built widget: the script that sites load, and the chat, in a frame or as a separate page. */

const { read, readPacked, sendAsset } = openBuiltFolder('web/dist/widget')

const missing =
  'The widget is not built on this server. Start it with "npm start", which builds it, with the packages for developers ' +
  'installed (npm ci --include=dev).'

/** The Content-Security-Policy. Files of a project with its own bucket come from there. */
const policyOf = (ancestors: string, buckets: string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["img-src 'self' data: blob: https:", ...buckets].join(' '),
    ["media-src 'self' blob:", ...buckets].join(' '),
    "font-src 'self'",
    "connect-src 'self'",
    `frame-ancestors ${ancestors}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')

/** Sends the loader to any site. Its name never changes, so browsers revalidate it from time to time. */
async function sendLoader(request: FastifyRequest, reply: FastifyReply) {
  const { bytes, encoding } = await readPacked(request, 'widget.js')
  reply.headers({ 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'cross-origin' })
  reply.type('text/javascript; charset=utf-8')
  if (!bytes) return reply.code(503).send(`// ${missing}\n`)
  const etag = `"${sha256(bytes).toString('base64url')}"`
  reply.headers({ etag, vary: 'accept-encoding', 'cache-control': 'public, max-age=300' })
  if (encoding) reply.header('content-encoding', encoding)
  return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(bytes)
}

/** The npm package, for `npm install` of this address. */
async function sendPackage(request: FastifyRequest, reply: FastifyReply) {
  const bytes = await read('package.tgz')
  if (!bytes) return reply.code(503).type('text/plain; charset=utf-8').send(`${missing}\n`)
  const etag = `"${sha256(bytes).toString('base64url')}"`
  reply.headers({ ...framingHeaders, etag, 'cache-control': 'no-cache' }).type('application/gzip')
  return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(bytes)
}

const sendDocument =
  (db: Db, ancestorsOf: (domains: string[]) => string) =>
  async (request: FastifyRequest, reply: FastifyReply) => {
    const project_id = paramOf(request, 'project_id')
    const domains = await findFrame(db, project_id)
    if (!domains) throw new BriefError('not_found')
    const { 'cross-origin-opener-policy': _, ...headers } = framingHeaders
    reply.headers({
      ...headers,
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'no-cache',
      'content-security-policy': policyOf(ancestorsOf(domains), await listBucketOrigins(db, project_id)),
    })
    const page = await read('index.html')
    reply.type('text/html; charset=utf-8')
    return page
      ? reply.send(page.toString().replace('</head>', `${fontPreload}</head>`))
      : reply.code(503).send(`<!doctype html><title>Deskbell</title><p>${missing}`)
  }

/** A page that posts the contents of its own URL to the page around it. This needs no connection, which a site may not allow. */
const postLook =
  "parent.postMessage({ type: 'deskbell:look', look: JSON.parse(document.documentElement.dataset.look) }, '*')"
const scriptHash = `'sha256-${sha256(postLook).toString('base64')}'`

/** Whether the request comes from a page of another website. Browsers send `Sec-Fetch-Site` to servers with TLS, and to localhost. */
function isOnOtherSite({ headers }: FastifyRequest): boolean {
  const { 'sec-fetch-site': site, referer = '', host } = headers
  if (site !== undefined) return site === 'cross-site' || site === 'same-site'
  const page = URL.parse(referer)
  return page !== null && page.host !== host
}

async function sendLook(db: Db, request: FastifyRequest, reply: FastifyReply) {
  const project_id = paramOf(request, 'project_id')
  const domains = await findFrame(db, project_id)
  const found = domains && (await findAppearance(db, project_id, stringOf(request.query, 'locale')))
  if (!found) throw new BriefError('not_found')
  const isNew = found.awaits_site && isOnOtherSite(request)
  await despiteFullDisk(async isNoted => isNew && isNoted && recordSeenOnSite(db, project_id))
  const { 'cross-origin-opener-policy': _, ...headers } = framingHeaders
  reply.headers({
    ...headers,
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, max-age=300',
    'content-security-policy': `default-src 'none'; script-src ${scriptHash}; frame-ancestors ${sitesOf(domains)}`,
  })
  const data = escapeHtml(JSON.stringify(found.look))
  return reply
    .type('text/html; charset=utf-8')
    .send(`<!doctype html><html data-look="${data}"><title>Deskbell</title><script>${postLook}</script>`)
}

/** The sites that may embed the chat, and our own dashboard. Listed sites may use http. */
const sitesOf = (domains: string[]): string =>
  domains.length === 0
    ? '*'
    : ["'self'", ...domains.flatMap(domain => [`https://${domain}`, `http://${domain}`])].join(' ')

interface Deps {
  config: Config
  db: Db
  limiter: Limiter
}

export function showWidget(app: FastifyInstance, { config, db, limiter }: Deps): void {
  app.get('/widget.js', sendLoader)
  app.get('/widget/package.tgz', sendPackage)
  app.get('/widget/assets/:name', sendAsset)
  // These read the database, so each address has a budget for them, as large as that of requests without a key.
  const page = (
    path: string,
    send: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
  ) =>
    app.get(path, async (request, reply) => {
      await spendAddressBudget(limiter, 'widget pages', request.ip, config.rateLimitPerIp)
      return send(request, reply)
    })
  page('/widget/look/:project_id', (request, reply) => sendLook(db, request, reply))
  page('/widget/frame/:project_id', sendDocument(db, sitesOf))
  page(
    '/chat/:project_id',
    sendDocument(db, () => "'none'"),
  )
}
