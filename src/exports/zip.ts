import { addAbortSignal, Readable } from 'node:stream'
import type { ZipFile } from 'yazl'
import { errorOf } from '../core/thrown.ts'

/** Writes a zip file as a stream, so that it is never in memory as a whole. */

/** A zip file being written, with a signal that it is no longer read. */
export interface ZipDraft {
  zip: ZipFile
  signal: AbortSignal
}

/** Adds a file and waits until it has been read. If the zip file is no longer read, the file is closed. */
export async function addZipEntry(
  { zip, signal }: ZipDraft,
  name: string,
  content: Readable,
  compress = true,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  content.once('end', resolve).once('error', reject)
  zip.addReadStream(addAbortSignal(signal, content), name, { compress })
  await promise
}

/** As bytes, because a stream of objects would buffer sixteen pages. */
export const textEntry = (pages: AsyncIterable<string>): Readable =>
  Readable.from(pages, { objectMode: false })

/** The bytes of a zip file. If writing fails, the stream ends with the error. */
export async function openZip(fill: (draft: ZipDraft) => Promise<void>): Promise<Readable> {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', error => output.destroy(errorOf(error)))
  const closed = new AbortController()
  output.once('close', () => closed.abort())
  fill({ zip, signal: closed.signal })
    .then(() => zip.end())
    .catch(error => output.destroy(error))
  return output
}
