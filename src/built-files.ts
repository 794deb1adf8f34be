import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { root } from './core/config/config.ts'
import { BriefError } from './core/errors.ts'
import { listEncodings } from './core/http/compress.ts'
import { paramOf } from './core/http/param.ts'

/** Serves the files that web/build.ts has built, some of them already compressed. */

export const framingHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

const orNull = (error: { code?: string }): null => {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
  throw error
}

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
  mp3: 'audio/mpeg',
}

const endings = { br: 'br', gzip: 'gz' }

const assetName = /^[\w-]+(?:\.[\w-]+)*\.(\w+)$/

/** A folder of built files. They are read from disk each time, because another process may have built newer ones. */
export function openBuiltFolder(folder: string) {
  const read = (...path: string[]): Promise<Buffer | null> =>
    readFile(join(root, folder, ...path)).catch(orNull)

  /** The smallest compressed version that the browser accepts, or the file itself. */
  async function readPacked({ headers }: FastifyRequest, ...path: string[]) {
    for (const encoding of listEncodings(headers)) {
      const bytes = await read(...path.slice(0, -1), `${path.at(-1)}.${endings[encoding]}`)
      if (bytes) return { bytes, encoding }
    }
    return { bytes: await read(...path), encoding: null }
  }

  /** Sends a file of the folder `assets`, whose names contain a hash of the content. */
  async function sendAsset(request: FastifyRequest, reply: FastifyReply) {
    const name = paramOf(request, 'name')
    const type = types[assetName.exec(name)?.[1] ?? '']
    const { bytes, encoding } = type
      ? await readPacked(request, 'assets', name)
      : { bytes: null, encoding: null }
    if (!bytes) throw new BriefError('not_found')
    const etag = `"${name}${encoding ? `-${encoding}` : ''}"`
    reply.headers({
      ...framingHeaders,
      etag,
      vary: 'accept-encoding',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    if (encoding) reply.header('content-encoding', encoding)
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply.type(type!).send(bytes)
  }

  return { read, readPacked, sendAsset }
}
