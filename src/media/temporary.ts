import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Call, Received } from '../core/endpoint.ts'
import { ApiError } from '../core/errors.ts'
import { missingFile, readUploadForm } from './upload-form.ts'

/** Receives a file that is read once and then deleted. It does not become a file of the project. */

const maxTemporaryBytes = 64 * 1024 * 1024

async function* bounded(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > maxTemporaryBytes) throw new ApiError('MEDIA_TOO_LARGE', { max_bytes: maxTemporaryBytes })
    yield chunk
  }
}

const safeName = (sent: string): string =>
  basename(sent.replaceAll(/[^\p{L}\p{N}._/-]+/gu, '-'))
    .replace(/^\.+/, '')
    .slice(-100) || 'file'

/** The body is the path of the file, whose name is similar to the one that was sent. */
export async function receiveTemporary({ request }: Call<unknown, undefined>): Promise<Received<string>> {
  const folder = await mkdtemp(join(tmpdir(), 'deskbell-'))
  const release = () => rm(folder, { recursive: true, force: true })
  try {
    const { file } = await readUploadForm(request.raw, async (content, sentName) => {
      const path = join(folder, safeName(sentName))
      await pipeline(bounded(content), createWriteStream(path))
      return path
    })
    if (!file) throw missingFile()
    return { body: file, fingerprint: null, release }
  } catch (error) {
    await release()
    throw error
  }
}
