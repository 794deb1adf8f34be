import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../src/core/db/db.ts'
import { createKey } from '../../src/keys/keys.ts'
import { createProject } from '../../src/projects/projects.ts'
import { openCaller } from '../calls.ts'
import type { Server } from '../server.ts'
import type { Order, Report } from './clients.ts'

export interface Stage {
  server: Server
  db: Db
  clients: ChildProcess
}

export const clock = () => performance.timeOrigin + performance.now()

export async function addKeys({ db }: Stage, count: number): Promise<string[]> {
  const keys: string[] = []
  for (let at = 0; at < count; at++) {
    const { id } = await createProject(db, { name: `Bench ${at}` })
    keys.push((await createKey(db, id, 'bench')).key)
  }
  return keys
}

async function tell(stage: Stage, message: Order | 'take' | 'close'): Promise<unknown> {
  stage.clients.send(message)
  const [answer] = await once(stage.clients, 'message')
  return answer
}

export const take = (stage: Stage) => tell(stage, 'take') as Promise<Report>

/** Opens the clients and waits for their first responses. */
export async function seat(stage: Stage, keys: string[], count: number): Promise<void> {
  await tell(stage, { port: stage.server.port, keys, count })
  await sleep(3_000)
  await take(stage)
}

export const unseat = async (stage: Stage): Promise<void> => {
  await tell(stage, 'close')
  await sleep(1_000)
}

/** Processor time so far in seconds. The kernel counts in hundredths. */
export function processorSeconds({ server }: Stage): number {
  const [utime, stime] = readFileSync(`/proc/${server.child.pid}/stat`, 'utf8')
    .split(') ')[1]!
    .split(' ')
    .slice(11)
  return (Number(utime) + Number(stime)) / 100
}

export async function countStatements({ db }: Stage): Promise<number> {
  await db`select pg_stat_force_next_flush()`
  const [row] = await db<{ count: number }[]>`
    select xact_commit as count from pg_stat_database where datname = current_database()`
  return row!.count
}

export async function timeReads({ server }: Stage, key: string, count: number): Promise<number[]> {
  const caller = openCaller(server.url, key)
  const took: number[] = []
  for (let at = 0; at < count; at++) took.push((await caller.get('/tickets?page_size=1')).ms)
  caller.close()
  return took
}
