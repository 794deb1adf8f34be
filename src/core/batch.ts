import { inTime } from './in-time.ts'

/**
 * Questions that come while one is being asked share the next: under load a hundred requests cost one round trip.
 * An answer is never older than its question: a load that began before the question does not answer it.
 */

/** How many loads run at once; the second keeps one slow connection from holding up everybody. */
const maxConcurrentLoads = 2

interface Question<K, V> {
  key: K
  askers: { resolve(value: V): void; reject(error: unknown): void }[]
}

interface Options<K> {
  /** Questions of equal names are one; without it each is its own, as counting needs. */
  nameOf?: (key: K) => unknown
  /** How many questions a load takes. */
  most?: number
}

/** `load` gets the keys of all who wait and gives back what finds the answer of each. */
export function createBatch<K, V>(
  load: (keys: K[]) => Promise<(key: K) => V>,
  { nameOf = () => Symbol(), most = Number.POSITIVE_INFINITY }: Options<K> = {},
): (key: K) => Promise<V> {
  const waiting = new Map<unknown, Question<K, V>>()
  let running = 0

  function take(): Question<K, V>[] {
    const names = [...waiting.keys()].slice(0, most)
    const taken = names.map(name => waiting.get(name)!)
    for (const name of names) waiting.delete(name)
    return taken
  }

  async function run(): Promise<void> {
    while (waiting.size) {
      const batch = take()
      try {
        const answer = await inTime(load(batch.map(({ key }) => key)))
        for (const { key, askers } of batch) for (const { resolve } of askers) resolve(answer(key))
      } catch (error) {
        for (const { reject } of batch.flatMap(({ askers }) => askers)) reject(error)
      }
    }
    running--
  }

  return key =>
    new Promise((resolve, reject) => {
      const name = nameOf(key)
      const question = waiting.get(name) ?? { key, askers: [] }
      question.askers.push({ resolve, reject })
      waiting.set(name, question)
      if (running >= maxConcurrentLoads) return
      running++
      setImmediate(run)
    })
}
