import { inTime } from '../async/in-time.ts'

/**
 * Combines concurrent look-ups: keys that are requested while a load is running go into the next load together, so under load a
 * hundred requests cost one round trip. A load that began before a request never answers it, so no result is older than its
 * request.
 */

/** How many loads run at the same time. With only one, a slow connection would delay all requests. */
const maxConcurrentLoads = 2

interface Question<K, V> {
  key: K
  askers: { resolve(value: V): void; reject(error: unknown): void }[]
}

interface Options<K> {
  /** Keys with the same name are loaded once. Without it, each key is separate, as counting needs. */
  nameOf?: (key: K) => unknown
  /** The maximum number of keys in a load. */
  maxKeys?: number
}

/** `load` receives all waiting keys and returns a function that finds the result for each. */
export function createBatch<K, V>(
  load: (keys: K[]) => Promise<(key: K) => V>,
  { nameOf = () => Symbol(), maxKeys = Number.POSITIVE_INFINITY }: Options<K> = {},
): (key: K) => Promise<V> {
  const waiting = new Map<unknown, Question<K, V>>()
  let running = 0

  function take(): Question<K, V>[] {
    const names = [...waiting.keys()].slice(0, maxKeys)
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

/** The same, but each load is for one project, because projects can be on different machines. */
export function createProjectBatch<K, V>(
  load: (projectId: string, keys: K[]) => Promise<(key: K) => V>,
  projectOf: (key: K) => string,
  options?: Options<K>,
): (key: K) => Promise<V> {
  const projects = new Map<string, { find: (key: K) => Promise<V>; waiting: number }>()

  function open(projectId: string) {
    const project = { find: createBatch<K, V>(keys => load(projectId, keys), options), waiting: 0 }
    projects.set(projectId, project)
    return project
  }

  return async key => {
    const projectId = projectOf(key)
    const project = projects.get(projectId) ?? open(projectId)
    project.waiting++
    try {
      return await project.find(key)
    } finally {
      if (--project.waiting === 0) projects.delete(projectId)
    }
  }
}
