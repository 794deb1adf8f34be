import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Server } from './server.ts'

/**
 * What requests cost the processor, in the server and its Postgres: unlike the clock it does not count the time that
 * other programs take. Linux tells it; elsewhere it is not a number.
 */

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // The process has ended meanwhile.
    return ''
  }
}

/** Nanoseconds that a process has run, all its threads together. */
function timeOf(pid: string): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.reduce((sum, id) => sum + Number(read(`/proc/${pid}/task/${id}/schedstat`).split(' ')[0]), 0)
}

/** Milliseconds that children of a process had run when they ended; the kernel counts in hundredths of a second. */
function timeOfEnded(pid: string): number {
  const [user, system] = read(`/proc/${pid}/stat`).split(') ')[1]!.split(' ').slice(13)
  return (Number(user) + Number(system)) * 10
}

export interface Spent {
  server: number
  database: number
}

/** Milliseconds so far. */
export type Meter = () => Spent

export function openMeter({ child }: Server, dataDir: string): Meter {
  if (process.platform !== 'linux') return () => ({ server: Number.NaN, database: Number.NaN })
  const [postmaster] = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')
  const backends = () => read(`/proc/${postmaster}/task/${postmaster}/children`).split(' ').filter(Boolean)
  const sum = (pids: string[]) => pids.reduce((all, pid) => all + timeOf(pid), 0) / 1e6
  return () => ({ server: sum([String(child.pid)]), database: sum(backends()) + timeOfEnded(postmaster!) })
}
