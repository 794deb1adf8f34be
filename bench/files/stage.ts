import { type ChildProcess, fork } from 'node:child_process'
import type { Db } from '../../src/core/db/db.ts'
import { createKey } from '../../src/keys/keys.ts'
import { listProjects } from '../../src/projects/projects.ts'
import { ask } from '../children.ts'
import { openDataDir } from '../data.ts'
import type { PromiseId } from '../promises.ts'
import { record } from '../results.ts'
import { type Server, startServer } from '../server.ts'
import type { Order } from './load.ts'

export interface Stage {
  server: Server
  dataDir: string
  db: Db
  key: string
  load: ChildProcess
  close(): Promise<void>
}

export async function openStage(dataDir: string): Promise<Stage> {
  const server = await startServer({ DATA_DIR: dataDir })
  const { db, close } = await openDataDir(dataDir)
  const [project] = await listProjects(db)
  const { key } = await createKey(db, project!.id, 'Bench')
  const load = fork(new URL('load.ts', import.meta.url))
  return {
    server,
    dataDir,
    db,
    key,
    load,
    async close() {
      load.disconnect()
      await close()
      await server.stop()
    },
  }
}

/** Measures one concurrent call in milliseconds. */
export async function call({ server, key }: Stage): Promise<number> {
  const begun = performance.now()
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${server.url}/api/v1/tickets?page_size=1`, { headers })
  await response.arrayBuffer()
  return performance.now() - begun
}

export async function run({ server, key, load }: Stage, order: Omit<Order, 'url' | 'key'>): Promise<string> {
  const id = await ask<string | null>(load, { url: server.url, key, ...order })
  if (!id) throw new Error('An upload or a download failed')
  return id
}

export function tell(id: PromiseId, measured: string, isKept: boolean): boolean {
  console.log(`${id}  ${isKept ? 'kept' : 'NOT KEPT'}  ${measured}`)
  const note = 'Other programs have a share in it; see the load'
  record(id, { measured, isKept, ...(!isKept && { note }) })
  return isKept
}
