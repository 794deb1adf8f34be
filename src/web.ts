import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fence, openBuilt } from './built.ts'

/** The dashboard, as web/build.ts leaves it: one page for its own addresses, and the files that this page asks for. */

const { read, sendAsset } = openBuilt('web/dist/dashboard')

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

const missing =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Deskbell</title>' +
  '<p>The dashboard is not built on this server. Start it with <code>npm start</code>, which builds it, ' +
  'with the packages for developers installed (<code>npm ci --include=dev</code>).'

/** Read anew each time: another process may have built a newer one. */
async function sendPage(_request: FastifyRequest, reply: FastifyReply) {
  const nonce = randomBytes(16).toString('base64')
  reply.headers({ ...fence, 'cache-control': 'no-cache', 'content-security-policy': policyOf(nonce) })
  reply.type('text/html; charset=utf-8')
  const page = await read('index.html')
  return page ? page.toString().replaceAll('__NONCE__', nonce) : reply.code(503).send(missing)
}

export function showDashboard(app: FastifyInstance): void {
  for (const path of pages) app.get(path, sendPage)
  app.get('/assets/:name', sendAsset)
}
