import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { BriefError } from '../errors.ts'
import { paramOf } from '../http/param.ts'

/** Serves Inter, the font of the dashboard, the chat, the help centre and the documentation. */

const require = createRequire(import.meta.url)

export const fontStyles = readFileSync(new URL('inter.css', import.meta.url), 'utf8')

/** The files by their names in the stylesheet, which contain the version of the package. */
const files = new Map(
  [...fontStyles.matchAll(/\/fonts\/(inter-[\d.]+-([\w-]+)\.woff2)/g)].map(([, name, script]) => [
    name!,
    `@fontsource-variable/inter/files/inter-${script}-wght-normal.woff2`,
  ]),
)

const latin = [...files.keys()].find(name => name.endsWith('-latin.woff2'))!

/** For pages that show Latin letters at first, so that the browser loads the font together with the styles. */
export const fontPreload = `<link rel="preload" as="font" type="font/woff2" crossorigin href="/fonts/${latin}">`

async function sendFont(request: FastifyRequest, reply: FastifyReply) {
  const name = paramOf(request, 'name')
  const path = files.get(name)
  if (!path) throw new BriefError('not_found')
  const etag = `"${name}"`
  reply.headers({
    etag,
    'cache-control': 'public, max-age=31536000, immutable',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  })
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  return reply.type('font/woff2').send(await readFile(require.resolve(path)))
}

export const showFonts = (app: FastifyInstance): void => {
  app.get('/fonts/:name', sendFont)
}
