interface Queue {
  running: number
  /** In the order in which they came. */
  waiting: Set<() => void>
}

export interface KeyedSemaphore {
  /** Runs `act` at a place of `owner`; null when none has become free within `ms`. */
  run<T>(key: string, ms: number, act: () => Promise<T>): Promise<T | null>
}

/** Allows a number of concurrent actions per key; further ones wait in order. */
export function createKeyedSemaphore(maxPerKey: number): KeyedSemaphore {
  const queues = new Map<string, Queue>()

  function take(key: string, ms: number): Promise<boolean> {
    const queue = queues.get(key) ?? { running: 0, waiting: new Set() }
    queues.set(key, queue)
    if (queue.running >= maxPerKey) return wait(queue, ms)
    queue.running += 1
    return Promise.resolve(true)
  }

  function free(key: string): void {
    const queue = queues.get(key)!
    const [next] = queue.waiting
    if (next) next()
    else queue.running -= 1
    if (!queue.running) queues.delete(key)
  }

  return {
    async run(key, ms, act) {
      if (!(await take(key, ms))) return null
      try {
        return await act()
      } finally {
        free(key)
      }
    },
  }
}

/** True when a place was passed on. */
function wait({ waiting }: Queue, ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(end, ms, false)
  const enter = () => end(true)
  waiting.add(enter)
  return promise

  function end(isIn: boolean): void {
    clearTimeout(timer)
    waiting.delete(enter)
    resolve(isIn)
  }
}
