interface Line {
  taken: number
  /** In the order in which they came. */
  waiting: Set<() => void>
}

export interface Places {
  /** Runs `act` at a place of `owner`; null when none has become free within `ms`. */
  hold<T>(owner: string, ms: number, act: () => Promise<T>): Promise<T | null>
}

/** So many places for each owner; whoever finds none free waits for one in turn. */
export function createPlaces(most: number): Places {
  const lines = new Map<string, Line>()

  function take(owner: string, ms: number): Promise<boolean> {
    const line = lines.get(owner) ?? { taken: 0, waiting: new Set() }
    lines.set(owner, line)
    if (line.taken >= most) return wait(line, ms)
    line.taken += 1
    return Promise.resolve(true)
  }

  function free(owner: string): void {
    const line = lines.get(owner)!
    const [next] = line.waiting
    if (next) next()
    else line.taken -= 1
    if (!line.taken) lines.delete(owner)
  }

  return {
    async hold(owner, ms, act) {
      if (!(await take(owner, ms))) return null
      try {
        return await act()
      } finally {
        free(owner)
      }
    },
  }
}

/** True when a place was passed on. */
function wait({ waiting }: Line, ms: number): Promise<boolean> {
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
