import { setTimeout as sleep } from 'node:timers/promises'

type Found<T> = Exclude<T, null | undefined | false | 0 | ''>

/** Calls `look` repeatedly until it returns a truthy value. The limit only matters for a failing test. */
export async function until<T>(look: () => T | Promise<T>, seconds = 30): Promise<Found<T>> {
  const deadline = performance.now() + seconds * 1000
  for (;;) {
    const isLast = performance.now() > deadline
    const found = await look()
    if (found) return found as Found<T>
    if (isLast) throw new Error(`Not within ${seconds} s: ${look}`)
    await sleep(10)
  }
}
