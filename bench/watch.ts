import { setTimeout as sleep } from 'node:timers/promises'
import { memoryWithWorkers } from './process.ts'
import type { Server } from './server.ts'

export interface Watched {
  /** MiB. The increase in the server's resident memory at its peak. */
  rise: number
  /** Milliseconds of each call. */
  calls: number[]
}

/** Calls the server every 10 ms during the work, and measures its memory. `call` returns how many milliseconds it took. */
export async function watch(
  server: Server,
  call: () => Promise<number>,
  work: () => Promise<unknown>,
): Promise<Watched> {
  const before = memoryWithWorkers(server)
  let highest = before
  let isOver = false
  const calls: number[] = []
  const beside = async () => {
    for (; !isOver; await sleep(10)) {
      calls.push(await call())
      highest = Math.max(highest, memoryWithWorkers(server))
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
