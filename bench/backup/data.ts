import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadSecretKey, verifySecretKey } from '../../src/core/config/secret-key.ts'
import type { Db } from '../../src/core/db/db.ts'
import { openDataDir } from '../data.ts'
import { seed } from '../seed/seed.ts'

export interface Size {
  messages: number
  /** How many of the messages have 60,000 characters. */
  large: number
  files: number
}

const enlarge = (db: Db, projectId: string, large: number) => db`
  update messages set content = (
    select left(string_agg(md5(n::text || id::text), ' '), 60000) from generate_series(1, 2000) n)
  where project_id = ${projectId} and id in (
    select id from messages where project_id = ${projectId} order by id desc limit ${large})`

async function addFile(db: Db, projectId: string, dataDir: string, size: number): Promise<void> {
  const key = randomUUID().replaceAll('-', '')
  const home = join(dataDir, 'files', key.slice(0, 2))
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, key), randomBytes(size))
  await db`
    insert into media (project_id, id, filename, content_type, kind, size, sha256, created_at, storage_key)
    values (${projectId}, ${randomUUID()}, 'photo.jpg', 'image/jpeg', 'image', ${size}, '', now(), ${key})`
}

/** Creates an installation of this size without running a server on it. */
export async function makeInstallation(dataDir: string, { messages, large, files }: Size): Promise<void> {
  const { db, close } = await openDataDir(dataDir)
  try {
    const tickets = Math.ceil(messages / 5)
    const size = { tickets, messages, contacts: Math.ceil(tickets / 5), events: Math.ceil(messages / 10) }
    const { project_id } = await seed(db, { projectId: null, seed: 1, ...size }, () => {})
    await enlarge(db, project_id, large)
    // Most are as large as photos, and a few as large as recordings.
    for (let n = 0; n < files; n++) await addFile(db, project_id, dataDir, n % 50 ? 100_000 : 5_000_000)
    await verifySecretKey(db, loadSecretKey({ secretKey: null, dataDir }))
  } finally {
    await close()
  }
}
