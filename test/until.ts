import { setTimeout as sleep } from 'node:timers/promises'

type Found<T> = Exclude<T, null | undefined | false | 0 | ''>

/** Milliseconds between two looks. They grow, because a look in a page or at the server takes processor time, which all tests share. */
const pause = { first: 10, growth: 1.3, most: 50 }

/** Calls `look` repeatedly until it returns a truthy value. The limit only matters for a failing test. */
export async function until<T>(look: () => T | Promise<T>, seconds = 30): Promise<Found<T>> {
  const deadline = performance.now() + seconds * 1000
  for (let ms = pause.first; ; ms = Math.min(ms * pause.growth, pause.most)) {
    const isLast = performance.now() > deadline
    const found = await look()
    if (found) return found as Found<T>
    if (isLast) throw new Error(`Not within ${seconds} s: ${look}`)
    await sleep(ms)
  }
}
