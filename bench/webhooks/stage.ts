import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../src/core/db/db.ts'
import { createKey } from '../../src/keys/keys.ts'
import { createProject } from '../../src/projects/projects.ts'
import { type Caller, openCaller } from '../calls.ts'
import { openDataDir } from '../data.ts'
import { clock } from '../delivery/measure.ts'
import { type Server, startServer } from '../server.ts'
import { delays, startReceiver } from './receiver.ts'

export interface Stage {
  server: Server
  db: Db
  receiver: Awaited<ReturnType<typeof startReceiver>>
}

export interface Project {
  id: string
  caller: Caller
}

/** Starts a receiver, and a server whose delays between attempts are multiplied by `scale`. */
export async function withStage<T>(scale: number, work: (stage: Stage) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'deskbell-bench-'))
  const WEBHOOK_RETRY_DELAYS = delays.map(delay => `${delay * 1_000 * scale}ms`).join(',')
  const server = await startServer({ DATA_DIR: dataDir, WEBHOOK_RETRY_DELAYS })
  const { db, close } = await openDataDir(dataDir, 2)
  const receiver = await startReceiver()
  try {
    return await work({ server, db, receiver })
  } finally {
    receiver.close()
    await close()
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

export async function addProject({ db, server }: Stage): Promise<Project> {
  const { id } = await createProject(db, { name: 'Bench' })
  const { key } = await createKey(db, id, 'Bench')
  return { id, caller: openCaller(server.url, key) }
}

export async function call(caller: Caller, method: string, path: string, body?: unknown) {
  const { status, text } = await caller.call(method, path, body)
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`)
  return text ? JSON.parse(text) : null
}

export const register = async ({ caller }: Project, url: string): Promise<string> =>
  (await call(caller, 'POST', '/webhooks', { url, events: ['ticket.created'] })).id

const newTicket = { contact: { email: 'ann@example.com' } }

/** Creates tickets at a fixed rate without waiting for responses. */
export async function write({ caller }: Project, count: number, rate: number): Promise<void> {
  const begun = clock()
  const calls: Promise<unknown>[] = []
  for (let at = 0; at < count; at++) {
    await sleep(Math.max(0, begun + (at * 1_000) / rate - clock()))
    calls.push(call(caller, 'POST', '/tickets', newTicket))
  }
  await Promise.all(calls)
}

export async function until(look: () => boolean | Promise<boolean>, seconds: number): Promise<boolean> {
  const end = clock() + seconds * 1_000
  while (clock() < end) {
    if (await look()) return true
    await sleep(20)
  }
  return false
}
