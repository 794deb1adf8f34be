/** Limits concurrent requests, so that a hanging target takes no capacity from others. */

const maxPerTarget = 8
const maxPerProject = 64
const maxPerProcess = 256

/** After this time without a success, a target gets one attempt at a time. */
const probeAfterMs = 10_000

/**
 * A failing target that was not tried for this time is forgotten. This is longer than the longest default pause. One that is
 * forgotten too soon gets its eight slots back, and loses them again after `probeAfterMs`.
 */
const forgetAfterMs = 8 * 3_600_000

export interface FreeCapacity {
  total: number
  /** Free slots of a project and a target with nothing in progress. */
  project: number
  cap: number
  targets: { id: string; inFlight: number; isProbing: boolean }[]
  projects: { id: string; freeSlots: number; cap: number }[]
}

interface TargetState {
  projectId: string
  inFlight: number
  failingSince: number | null
  lastAt: number
}

interface Ended {
  isSuccess: boolean
  startedAt: number
}

/** The more of the total is in use, the fewer requests a single target may have, so dozens of hanging targets do not block the others. */
const share = (inFlight: number, limit: number): number =>
  inFlight < limit / 2 ? maxPerTarget : inFlight < limit * 0.75 ? 2 : 1

export class TargetConcurrency {
  readonly #targets = new Map<string, TargetState>()
  readonly #projects = new Map<string, number>()
  readonly #clock: () => number
  #total = 0

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
  }

  freeCapacity(): FreeCapacity {
    this.#forget()
    const targets = [...this.#targets].map(([id, target]) => ({
      id,
      inFlight: target.inFlight,
      isProbing: this.#isProbing(target),
    }))
    return {
      total: maxPerProcess - this.#total,
      project: maxPerProject,
      cap: share(this.#total, maxPerProcess),
      targets: targets.filter(({ inFlight, isProbing }) => inFlight || isProbing),
      projects: [...this.#projects].map(([id, count]) => ({
        id,
        freeSlots: maxPerProject - count,
        cap: share(count, maxPerProject),
      })),
    }
  }

  acquire(projectId: string, targetId: string): void {
    const lastAt = this.#clock()
    const target = this.#targets.get(targetId) ?? { projectId, inFlight: 0, failingSince: null, lastAt }
    target.inFlight += 1
    target.lastAt = lastAt
    this.#targets.set(targetId, target)
    this.#count(projectId, 1)
  }

  /** Returns whether the target, its project or the process was full, so that other deliveries may have waited for this slot. */
  release(targetId: string, { isSuccess, startedAt }: Ended): boolean {
    const target = this.#targets.get(targetId)!
    const wasFull = this.#isFull(target)
    target.inFlight -= 1
    target.failingSince = isSuccess ? null : (target.failingSince ?? startedAt)
    this.#count(target.projectId, -1)
    if (!target.inFlight && isSuccess) this.#targets.delete(targetId)
    return wasFull
  }

  #isProbing({ failingSince }: TargetState): boolean {
    return failingSince !== null && this.#clock() - failingSince > probeAfterMs
  }

  #isFull(target: TargetState): boolean {
    const inProject = this.#projects.get(target.projectId)!
    const cap = Math.min(share(this.#total, maxPerProcess), share(inProject, maxPerProject))
    const isTargetFull = target.inFlight >= (this.#isProbing(target) ? 1 : cap)
    return isTargetFull || inProject >= maxPerProject || this.#total >= maxPerProcess
  }

  #count(projectId: string, change: number): void {
    this.#total += change
    const count = (this.#projects.get(projectId) ?? 0) + change
    if (count) this.#projects.set(projectId, count)
    else this.#projects.delete(projectId)
  }

  #forget(): void {
    const horizon = this.#clock() - forgetAfterMs
    for (const [id, { inFlight, lastAt }] of this.#targets) {
      if (!inFlight && lastAt < horizon) this.#targets.delete(id)
    }
  }
}
