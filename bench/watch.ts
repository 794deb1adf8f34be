import { setTimeout as sleep } from 'node:timers/promises'
import { memoryOf } from './process.ts'
import type { Server } from './server.ts'

export interface Watched {
  /** MiB. The growth of the server's resident memory up to its highest value. */
  rise: number
  /** Milliseconds of each call. */
  calls: number[]
}

/** Calls the server every 10 ms during the work, and measures its memory. `call` returns its milliseconds. */
export async function watch(
  server: Server,
  call: () => Promise<number>,
  work: () => Promise<unknown>,
): Promise<Watched> {
  const before = memoryOf(server)
  let highest = before
  let isOver = false
  const calls: number[] = []
  const beside = async () => {
    for (; !isOver; await sleep(10)) {
      calls.push(await call())
      highest = Math.max(highest, memoryOf(server))
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
