import { setTimeout as sleep } from 'node:timers/promises'
import { memoryOf } from '../process.ts'
import type { Stage } from './stage.ts'

export interface Watched {
  /** MiB. The growth of the server's resident memory up to its highest value. */
  rise: number
  /** Milliseconds of each call. */
  calls: number[]
}

async function call({ server, key }: Stage): Promise<number> {
  const begun = performance.now()
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${server.url}/api/v1/tickets?page_size=1`, { headers })
  await response.arrayBuffer()
  return performance.now() - begun
}

/** Reads the list of tickets every 10 ms during the work, and measures the memory. */
export async function watch(stage: Stage, work: () => Promise<unknown>): Promise<Watched> {
  const before = memoryOf(stage.server)
  let highest = before
  let isOver = false
  const calls: number[] = []
  const beside = async () => {
    for (; !isOver; await sleep(10)) {
      calls.push(await call(stage))
      highest = Math.max(highest, memoryOf(stage.server))
    }
  }
  const watching = beside()
  try {
    await work()
  } finally {
    isOver = true
    await watching
  }
  return { rise: highest - before, calls }
}
