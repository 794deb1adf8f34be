import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync } from 'node:fs'
import http from 'node:http'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../src/core/db/db.ts'
import { isDocumented } from '../ledger/clients.ts'
import type { Project } from '../ledger/projects.ts'

export interface Kept {
  id: string
  key: string
  sha256: string
}

/** The results of the uploads. */
export interface Uploads {
  kept: Kept[]
  /** How many got a 502, and the longest time until one of these responses. */
  failed: number
  slowestMs: number
  /** How many got no response, or another documented error. */
  unanswered: number
  odd: string[]
}

export const openUploads = (): Uploads => ({ kept: [], failed: 0, slowestMs: 0, unanswered: 0, odd: [] })

const boundary = 'chaos-boundary'
const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="chaos.bin"\r\n\r\n`
const tail = `\r\n--${boundary}--\r\n`
const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Sends in chunks with pauses, so that faults occur during the upload. */
async function send(url: string, key: string, bytes: Buffer): Promise<{ status: number; text: string }> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': `multipart/form-data; boundary=${boundary}`,
  }
  const request = http.request(`${url}/api/v1/media/upload`, { method: 'POST', headers, agent: false })
  const answered = once(request, 'response') as Promise<[http.IncomingMessage]>
  answered.catch(() => {})
  request.write(head)
  for (let at = 0; at < bytes.length && !request.destroyed; at += 128 * 1024) {
    request.write(bytes.subarray(at, at + 128 * 1024))
    await sleep(20)
  }
  request.end(tail)
  const [response] = await answered
  const chunks = await response.toArray()
  return { status: response.statusCode!, text: Buffer.concat(chunks).toString() }
}

async function upload(uploads: Uploads, url: string, key: string, size: number): Promise<void> {
  const bytes = randomBytes(size)
  const begun = performance.now()
  try {
    const { status, text } = await send(url, key, bytes)
    if (status === 201) uploads.kept.push({ id: JSON.parse(text).id, key, sha256: hashOf(bytes) })
    else if (status === 502 && isDocumented(status, text)) {
      uploads.failed++
      uploads.slowestMs = Math.max(uploads.slowestMs, performance.now() - begun)
    } else if (isDocumented(status, text)) uploads.unanswered++
    else uploads.odd.push(`upload: ${status} ${text.slice(0, 200)}`)
  } catch {
    uploads.unanswered++
  }
}

/** Sends one file after another, to each process in turn. */
export async function sendFiles(
  uploads: Uploads,
  { keys }: Project,
  urls: string[],
  random: () => number,
  isOver: () => boolean,
): Promise<void> {
  for (let turn = 0; !isOver(); turn++) {
    await upload(uploads, urls[turn % urls.length]!, keys[0]!, 1 + Math.floor(random() * 1_000_000))
    await sleep(100)
  }
}

interface Stored {
  id: string
  storage_key: string
  sha256: string
}

const listStored = (db: Db) => db<Stored[]>`select id, storage_key, sha256 from media`

/** Faults of files: rows without bytes, bytes that would never be removed, and downloads that differ from the upload. */
export async function listHalf(db: Db, dataDir: string, { kept }: Uploads, url: string): Promise<string[]> {
  const stored = await listStored(db)
  const strays = await db<{ storage_key: string }[]>`
    select storage_key from stray_objects where due_at <= now() + interval '1 hour'`
  const known = new Set([...stored, ...strays].map(({ storage_key }) => storage_key))
  const pathOf = (key: string) => join(dataDir, 'files', key.slice(0, 2), key)
  const isWhole = ({ storage_key, sha256 }: Stored) =>
    existsSync(pathOf(storage_key)) && hashOf(readFileSync(pathOf(storage_key))) === sha256
  const half = stored.filter(row => !isWhole(row)).map(({ id }) => `${id} is not whole`)
  const forgotten = globSync('*/*', { cwd: join(dataDir, 'files') })
    .filter(path => !known.has(basename(path).split('.')[0]!))
    .map(path => `${path} is forgotten`)
  return [...half, ...forgotten, ...(await listChanged(kept, url))]
}

async function listChanged(kept: Kept[], url: string): Promise<string[]> {
  const wrong: string[] = []
  for (const { id, key, sha256 } of kept) {
    const answer = await fetch(`${url}/api/v1/media/${id}`, { headers: { authorization: `Bearer ${key}` } })
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (hashOf(bytes) !== sha256) wrong.push(`${id}: ${answer.status}, ${bytes.length} bytes`)
  }
  return wrong
}
