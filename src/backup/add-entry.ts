import { createHash } from 'node:crypto'
import { addAbortSignal, Readable } from 'node:stream'
import type { ZipFile } from 'yazl'
import type { FileEntry } from './manifest.ts'

/** The archive being written. Its signal stops all reads if the file can no longer be written. */
export interface ArchiveDraft {
  zip: ZipFile
  signal: AbortSignal
}

const newline = 0x0a

/** Adds one entry, waits until it is in the archive, and counts its lines: COPY writes one per row. */
export async function addEntry(
  { zip, signal }: ArchiveDraft,
  name: string,
  content: Readable | Buffer,
  hear = () => {},
): Promise<FileEntry & { rows: number }> {
  const hash = createHash('sha256')
  let [bytes, rows] = [0, 0]
  const source = Buffer.isBuffer(content) ? Readable.from([content]) : content
  async function* measure() {
    for await (const chunk of addAbortSignal(signal, source)) {
      hear()
      hash.update(chunk)
      bytes += chunk.length
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) rows++
      yield chunk
    }
  }
  // The signal ends both the wait for space in the archive and the source's wait for rows.
  const stream = addAbortSignal(signal, Readable.from(measure(), { objectMode: false }))
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  stream.once('end', resolve).once('error', reject)
  zip.addReadStream(stream, name, { forceZip64Format: true, compressionLevel: 1, mode: 0o100600 })
  await promise
  return { name, bytes, sha256: hash.digest('hex'), rows }
}
