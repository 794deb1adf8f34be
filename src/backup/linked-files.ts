import { createReadStream } from 'node:fs'
import { link, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Sql } from '../core/db/db.ts'
import { isFull } from '../core/db/full-disk.ts'
import { codeOf } from '../core/thrown.ts'
import { thumbOf } from '../media/media.ts'
import { diskFullError } from './disk.ts'
import { listStoredKeys } from './queries.ts'

/** The files of one moment, which stay readable even if the server deletes them. */
export interface LinkedFiles {
  count: number
  /** The number of files in the database that are missing on the disk. */
  missing: number
  /** Yields one file after another. Each must be read to its end. */
  read(): AsyncGenerator<{ name: string; content: Readable }>
  release(): Promise<void>
}

const page = 1_000
const prefix = 'backup.links-'

async function* listKeys(sql: Sql): AsyncGenerator<string> {
  let after = ''
  for (;;) {
    const rows = await listStoredKeys(sql, after, page)
    for (const row of rows) yield row.storage_key
    if (rows.length < page) return
    after = rows.at(-1)!.storage_key
  }
}

async function isLinked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

/** Removes the links that a killed backup left. */
async function removeOld(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir))
    if (name.startsWith(prefix)) await rm(join(dataDir, name), { recursive: true, force: true })
}

async function linkAll(sql: Sql, dataDir: string, folder: string) {
  const names: string[] = []
  let missing = 0
  for await (const key of listKeys(sql)) {
    const home = join(dataDir, 'files', key.slice(0, 2))
    if (await isLinked(join(home, key), join(folder, key))) names.push(key)
    else missing++
    if (await isLinked(join(home, thumbOf(key)), join(folder, thumbOf(key)))) names.push(thumbOf(key))
  }
  return { names, missing }
}

async function makeFolder(dataDir: string): Promise<string> {
  await removeOld(dataDir)
  await mkdir(dataDir, { recursive: true })
  return mkdtemp(join(dataDir, prefix))
}

/** The folder of links needs space too, and may be on another disk than the archive. */
async function linkInto(sql: Sql, dataDir: string) {
  let folder = ''
  try {
    folder = await makeFolder(dataDir)
    return { folder, ...(await linkAll(sql, dataDir, folder)) }
  } catch (error) {
    if (folder) await rm(folder, { recursive: true, force: true })
    throw isFull(error) ? diskFullError(join(dataDir, prefix)) : error
  }
}

export async function linkFiles(sql: Sql, dataDir: string): Promise<LinkedFiles> {
  const { folder, names, missing } = await linkInto(sql, dataDir)
  return {
    count: names.length,
    missing,
    async *read() {
      for (const name of names) yield { name: `files/${name}`, content: createReadStream(join(folder, name)) }
    },
    release: () => rm(folder, { recursive: true, force: true }),
  }
}
