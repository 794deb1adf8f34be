interface Queue {
  running: number
  /** In order of arrival. */
  waiting: Set<() => void>
}

export interface KeyedSemaphore {
  /** Runs `act` when a slot of the key is free; returns null if none becomes free within `ms`. */
  run<T>(key: string, ms: number, act: () => Promise<T>): Promise<T | null>
}

/** Allows a number of concurrent actions per key; further ones wait in order. */
export function createKeyedSemaphore(maxPerKey: number): KeyedSemaphore {
  const queues = new Map<string, Queue>()

  function acquire(key: string, ms: number): Promise<boolean> {
    const queue = queues.get(key) ?? { running: 0, waiting: new Set() }
    queues.set(key, queue)
    if (queue.running >= maxPerKey) return wait(queue, ms)
    queue.running += 1
    return Promise.resolve(true)
  }

  function release(key: string): void {
    const queue = queues.get(key)!
    const [next] = queue.waiting
    if (next) next()
    else queue.running -= 1
    if (!queue.running) queues.delete(key)
  }

  return {
    async run(key, ms, act) {
      if (!(await acquire(key, ms))) return null
      try {
        return await act()
      } finally {
        release(key)
      }
    },
  }
}

/** Resolves to true when a slot was passed on. */
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
