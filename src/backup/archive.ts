import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { openPromise, type Entry as ZipEntry, type ZipFile } from 'yauzl'
import { codeOf, errorOf } from '../core/thrown.ts'
import { UserError } from '../core/user-error.ts'
import { entriesOf, type FileEntry, type Manifest, manifestName, readManifest } from './manifest.ts'

/** An archive whose contents were completely verified. */
export interface Archive {
  manifest: Manifest
  read(entry: FileEntry): Promise<Readable>
  readWhole(entry: FileEntry): Promise<Buffer>
  close(): void
}

const maxManifestBytes = 1 << 30

async function open(file: string): Promise<ZipFile> {
  try {
    return await openPromise(file, { autoClose: false })
  } catch (error) {
    if (['ENOENT', 'EACCES', 'EISDIR'].includes(codeOf(error)))
      throw new UserError(`Cannot read ${file} (${codeOf(error)})`)
    throw new UserError(`${file} is not a complete backup: ${errorOf(error).message}. Use another one`)
  }
}

async function listEntries(zip: ZipFile): Promise<Map<string, ZipEntry>> {
  const entries = new Map<string, ZipEntry>()
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
  return entries
}

const gather = async (stream: Readable): Promise<Buffer> => Buffer.concat(await stream.toArray())

async function digestOf(stream: Readable): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of stream) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

async function verify({ manifest, read }: Archive, has: (name: string) => boolean): Promise<void> {
  for (const entry of entriesOf(manifest)) {
    if (!has(entry.name)) throw new Error(`${entry.name} is missing`)
    const { bytes, sha256 } = await digestOf(await read(entry))
    if (bytes !== entry.bytes || sha256 !== entry.sha256) throw new Error(`${entry.name} was changed`)
  }
}

/** Refuses an incomplete or changed archive before anything is done with it. */
export async function openArchive(file: string): Promise<Archive> {
  const zip = await open(file)
  try {
    const entries = await listEntries(zip)
    const read = async ({ name }: { name: string }) => zip.openReadStreamPromise(entries.get(name)!)
    const told = entries.get(manifestName)
    if (!told || told.uncompressedSize > maxManifestBytes) throw new Error(`it has no ${manifestName}`)
    const manifest = readManifest(String(await gather(await read({ name: manifestName }))))
    if (!manifest) throw new Error(`its ${manifestName} is not one of this version of Deskbell`)
    const readWhole = async (entry: FileEntry) => gather(await read(entry))
    const archive = { manifest, read, readWhole, close: () => zip.close() }
    await verify(archive, name => entries.has(name))
    return archive
  } catch (error) {
    zip.close()
    throw new UserError(`${file} is not a complete backup: ${errorOf(error).message}. Use another one`)
  }
}
