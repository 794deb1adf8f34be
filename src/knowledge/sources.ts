import { createReadStream, type Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Entry, ZipFile } from 'yauzl'
import { codeOf, errorOf } from '../core/thrown.ts'
import { UserError } from '../core/user-error.ts'
import { maxArticleLength } from './render.ts'

/** The Markdown files of a folder or a .zip, and the files that could not be read. */
export interface Sources {
  files: { file: string; bytes: Buffer }[]
  failed: Failure[]
}

export interface Failure {
  file: string
  /** Null if the error concerns the whole file. */
  line: number | null
  error: string
}

/** Nothing can be imported from this path; the message says why. */
export class NoSources extends UserError {}

const maxFileBytes = 4 * maxArticleLength
const maxFiles = 10_000
const maxTotalBytes = 64 * 1024 * 1024

const isMarkdown = (name: string): boolean => /\.(md|markdown)$/i.test(name)
const isHidden = (path: string): boolean => path.split('/').some(part => /^(\.|__MACOSX$)/.test(part))

/** Collects files up to a limit, because the sizes in a zip may be false. */
function collect(path: string) {
  const sources: Sources = { files: [], failed: [] }
  let total = 0
  return {
    sources,
    fail: (file: string, error: string) => void sources.failed.push({ file, line: null, error }),
    async add(file: string, size: number, open: () => Promise<Readable> | Readable): Promise<void> {
      if (size > maxFileBytes) return this.fail(file, `is larger than ${maxFileBytes} bytes`)
      total += size
      if (sources.files.length >= maxFiles || total > maxTotalBytes)
        throw new NoSources(
          `${path} holds more than ${maxFiles} files or ${maxTotalBytes} bytes; import it in parts`,
          { reason: 'import_too_large', max_files: maxFiles, max_bytes: maxTotalBytes },
        )
      sources.files.push({ file, bytes: await buffer(await open()) })
    },
  }
}

type Collection = ReturnType<typeof collect>

async function walk(folder: string, below: string, collection: Collection): Promise<void> {
  const entries = await readFolder(join(folder, below), below, collection)
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const file = below ? `${below}/${entry.name}` : entry.name
    if (isHidden(entry.name)) continue
    if (entry.isDirectory()) await walk(folder, file, collection)
    else if (entry.isSymbolicLink()) collection.fail(file, 'is a symbolic link, which is not followed')
    else if (entry.isFile() && isMarkdown(file)) await addFile(join(folder, file), file, collection)
  }
}

/** A folder that cannot be read does not prevent reading the others. */
async function readFolder(path: string, below: string, collection: Collection): Promise<Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true })
  } catch (error) {
    const code = codeOf(error)
    if (!below) throw new NoSources(`${path} cannot be read (${code})`)
    collection.fail(below, `cannot be read (${code})`)
    return []
  }
}

async function addFile(path: string, file: string, collection: Collection): Promise<void> {
  try {
    const { size } = await stat(path)
    await collection.add(file, size, () => createReadStream(path))
  } catch (error) {
    if (error instanceof NoSources) throw error
    collection.fail(file, `cannot be read (${codeOf(error)})`)
  }
}

async function addEntry(zip: ZipFile, entry: Entry, collection: Collection): Promise<void> {
  const { fileName: file, uncompressedSize } = entry
  if (file.endsWith('/') || isHidden(file) || !isMarkdown(file)) return
  const isLink = ((entry.externalFileAttributes >>> 16) & 0o170000) === 0o120000
  if (isLink) return collection.fail(file, 'is a symbolic link, which is not followed')
  if (!entry.canDecodeFileData()) return collection.fail(file, 'is encrypted, or packed in an unusual way')
  await collection.add(file, uncompressedSize, () => zip.openReadStreamPromise(entry))
}

/** The library refuses the whole archive if a name leads out of it or a size is false. */
async function unpack(path: string, collection: Collection): Promise<void> {
  try {
    const { openPromise } = await import('yauzl')
    const zip = await openPromise(path)
    for await (const entry of zip.eachEntry()) await addEntry(zip, entry, collection)
  } catch (error) {
    if (error instanceof NoSources) throw error
    throw new NoSources(`${path} is not a readable .zip file: ${errorOf(error).message}`, {
      reason: 'not_a_zip',
    })
  }
}

/** Reads all files before any is imported. `path` is a folder, a .zip or a Markdown file. */
export async function readSources(path: string): Promise<Sources> {
  const collection = collect(path)
  const found = await stat(path).catch(() => null)
  if (!found) throw new NoSources(`${path} does not exist`)
  if (found.isDirectory()) await walk(path, '', collection)
  else if (isMarkdown(path)) await addFile(path, basename(path), collection)
  else await unpack(path, collection)
  const { files, failed } = collection.sources
  if (files.length + failed.length === 0)
    throw new NoSources(`${path} holds no Markdown files (.md)`, { reason: 'no_markdown' })
  return collection.sources
}
