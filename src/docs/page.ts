import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import viewer from 'swagger-ui-dist/package.json' with { type: 'json' }
import { root } from '../core/config/config.ts'
import { sha256 } from '../core/crypto.ts'
import { BriefError } from '../core/errors.ts'
import { fontPreload, fontStyles } from '../core/fonts/fonts.ts'
import { paramOf } from '../core/http/param.ts'
import { printGuide, printGuides, topBar } from './guide-page.ts'
import { guides } from './guides.ts'

/** The page at /docs, with Swagger UI, and the guides below it. This server provides all their files. */

const own = join(root, 'src/docs/page')
const theirs = join(root, 'node_modules/swagger-ui-dist')

const fonts = join(root, 'src/core/fonts')

const ownFiles = ['page.css', 'top.css', 'guide.css', 'start.js']

const folders = new Map([
  ...ownFiles.map(name => [name, own] as const),
  ['inter.css', fonts] as const,
  ['swagger-ui.css', theirs] as const,
  ['swagger-ui-bundle.js', theirs] as const,
])

/** Changes with every file, so that browsers can cache the files for ever. */
const stamp = sha256(
  [viewer.version, fontStyles, ...ownFiles.map(name => readFileSync(join(own, name)))].join('\n'),
)
  .toString('hex')
  .slice(0, 12)

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Deskbell API</title>
    <link rel="icon" href="data:,">
    ${fontPreload}
    <link rel="stylesheet" href="docs/${stamp}/inter.css">
    <link rel="stylesheet" href="docs/${stamp}/swagger-ui.css">
    <link rel="stylesheet" href="docs/${stamp}/page.css">
    <link rel="stylesheet" href="docs/${stamp}/top.css">
  </head>
  <body>
    ${topBar('docs', '')}
    <div id="reference"></div>
    <script src="docs/${stamp}/swagger-ui-bundle.js"></script>
    <script type="module" src="docs/${stamp}/start.js"></script>
  </body>
</html>
`

const fence = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

async function sendPage(request: FastifyRequest, reply: FastifyReply, page: string) {
  const etag = `"${sha256(page).toString('hex').slice(0, 16)}"`
  reply.headers({ ...fence, 'cache-control': 'no-cache', etag }).type('text/html; charset=utf-8')
  return request.headers['if-none-match'] === etag ? reply.code(304).send() : page
}

/** Filled on demand. */
const guidePages = new Map<string, string>()

async function sendGuide(request: FastifyRequest, reply: FastifyReply) {
  const name = paramOf(request, 'name')
  if (name !== 'guides' && !Object.hasOwn(guides, name)) throw new BriefError('not_found')
  const page = guidePages.get(name) ?? (name === 'guides' ? printGuides(stamp) : printGuide(name, stamp))
  guidePages.set(name, page)
  return sendPage(request, reply, page)
}

async function sendFile(request: FastifyRequest, reply: FastifyReply) {
  const name = paramOf(request, 'name')
  const folder = folders.get(name)
  if (paramOf(request, 'given') !== stamp || !folder) throw new BriefError('not_found')
  const etag = `"${stamp}-${name}"`
  reply.headers({ ...fence, etag, 'cache-control': 'public, max-age=31536000, immutable' })
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  reply.type(name!.endsWith('.js') ? 'text/javascript; charset=utf-8' : 'text/css; charset=utf-8')
  return readFile(join(folder, name!))
}

export function showDocument(app: FastifyInstance): void {
  app.get('/docs', (request, reply) => sendPage(request, reply, page))
  app.get('/docs/', async (_request, reply) => reply.redirect('../docs', 308))
  app.get('/docs/:name', sendGuide)
  app.get('/docs/:given/:name', sendFile)
}
