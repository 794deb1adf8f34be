import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Server } from './server.ts'

/**
 * The processor time of requests in the server and its Postgres. Unlike wall-clock time, it excludes other programs.
 * Available on Linux only, otherwise NaN.
 */

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // The process has already exited.
    return ''
  }
}

/** The processor time of all threads of a process in nanoseconds. */
function timeOf(pid: string): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.reduce((sum, id) => sum + Number(read(`/proc/${pid}/task/${id}/schedstat`).split(' ')[0]), 0)
}

/** The processor time of a process's ended children in milliseconds. The kernel counts in hundredths of a second. */
function timeOfEnded(pid: string): number {
  const [user, system] = read(`/proc/${pid}/stat`).split(') ')[1]!.split(' ').slice(13)
  return (Number(user) + Number(system)) * 10
}

export interface Spent {
  server: number
  database: number
}

/** The time so far in milliseconds. */
export type Meter = () => Spent

export function openMeter({ child }: Server, dataDir: string): Meter {
  if (process.platform !== 'linux') return () => ({ server: Number.NaN, database: Number.NaN })
  const [postmaster] = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')
  const backends = () => read(`/proc/${postmaster}/task/${postmaster}/children`).split(' ').filter(Boolean)
  const sum = (pids: string[]) => pids.reduce((all, pid) => all + timeOf(pid), 0) / 1e6
  return () => ({ server: sum([String(child.pid)]), database: sum(backends()) + timeOfEnded(postmaster!) })
}
