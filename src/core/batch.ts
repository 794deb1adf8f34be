/**
 * Questions that come while one is being asked share the next: under load a hundred requests cost one round trip.
 * An answer is never older than its question: a load that began before the question does not answer it.
 */

/** How many loads run at once; the second keeps one slow connection from holding up everybody. */
const mostAtOnce = 2

/** A connection that died without a word must not hold the place of a load for the minutes that TCP needs. */
const patience = 5_000

async function inTime<T>(loading: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<T>()
  const timer = setTimeout(
    () => reject(new Error(`The database did not answer within ${patience} ms`)),
    patience,
  )
  try {
    return await Promise.race([loading, promise])
  } finally {
    clearTimeout(timer)
  }
}

interface Question<K, V> {
  key: K
  resolve(value: V): void
  reject(error: unknown): void
}

/** `load` gets the keys of all who wait and gives back what finds the answer of each. */
export function createBatch<K, V>(load: (keys: K[]) => Promise<(key: K) => V>): (key: K) => Promise<V> {
  let waiting: Question<K, V>[] = []
  let running = 0

  async function run(): Promise<void> {
    while (waiting.length) {
      const batch = waiting
      waiting = []
      try {
        const answer = await inTime(load(batch.map(({ key }) => key)))
        for (const { key, resolve } of batch) resolve(answer(key))
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    running--
  }

  return key =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      if (running >= mostAtOnce) return
      running++
      setImmediate(run)
    })
}
