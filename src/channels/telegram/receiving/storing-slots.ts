/** Limits how many batches of fetched updates are stored concurrently. No project takes more than half of the slots. */

export interface StoringSlots {
  /** Runs the work once there is a free slot for the project. */
  use<T>(projectId: string, work: () => Promise<T>): Promise<T>
}

interface Waiting {
  projectId: string
  begin(): void
}

export function createStoringSlots(maxAtOnce = 6): StoringSlots {
  const running: string[] = []
  const waiting: Waiting[] = []
  const maxPerProject = Math.ceil(maxAtOnce / 2)
  const countOf = (projectId: string): number => running.filter(one => one === projectId).length
  const hasRoom = (projectId: string): boolean =>
    running.length < maxAtOnce && countOf(projectId) < maxPerProject

  function beginNext(): void {
    const at = waiting.findIndex(({ projectId }) => hasRoom(projectId))
    const [next] = at < 0 ? [] : waiting.splice(at, 1)
    if (!next) return
    running.push(next.projectId)
    next.begin()
  }

  return {
    async use(projectId, work) {
      await new Promise<void>(begin => {
        waiting.push({ projectId, begin })
        beginNext()
      })
      try {
        return await work()
      } finally {
        running.splice(running.indexOf(projectId), 1)
        beginNext()
      }
    },
  }
}
