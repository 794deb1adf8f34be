/** Limits concurrent requests, so that a hanging target takes no capacity from others. */

const maxPerTarget = 8
const maxPerProject = 64
const maxPerProcess = 256

/** How many targets of a project can get deliveries without a claim, and for how many milliseconds after their last success. */
const maxKnownTargets = 8
const knownForMs = 60_000
const maxKnownProjects = 10_000

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

export interface TakenSlots {
  /** The target. */
  id: string
  count: number
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

/** Makes this the newest entry, and deletes the oldest one if there are too many. */
function remember<T>(map: Map<string, T>, key: string, value: T, max: number): void {
  map.delete(key)
  map.set(key, value)
  if (map.size > max) map.delete(map.keys().next().value!)
}

export class TargetConcurrency {
  readonly #targets = new Map<string, TargetState>()
  readonly #projects = new Map<string, number>()
  /** The time of the last success of each target, by project. */
  readonly #known = new Map<string, Map<string, number>>()
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

  /** Takes slots of the project's known targets: of each at most `count`, and not more than half of the slots of the project. */
  reserve(projectId: string, count: number): TakenSlots[] {
    const horizon = this.#clock() - knownForMs
    const slots: TakenSlots[] = []
    for (const [id, lastAt] of this.#known.get(projectId) ?? []) {
      if (lastAt <= horizon) continue
      const inProject = this.#projects.get(projectId) ?? 0
      const room = Math.min(maxPerProcess / 2 - this.#total, maxPerProject / 2 - inProject)
      const taken = Math.min(count, maxPerTarget - this.#inFlight(id), room)
      if (taken <= 0) continue
      for (let n = 0; n < taken; n++) this.acquire(projectId, id)
      slots.push({ id, count: taken })
    }
    return slots
  }

  /** Frees a reserved slot that was not used. Returns the same as `release`. */
  cancel(targetId: string): boolean {
    const target = this.#targets.get(targetId)!
    const wasFull = this.#isFull(target)
    this.#free(targetId, target)
    return wasFull
  }

  /** Returns whether the target, its project or the process was full, so that other deliveries may have waited for this slot. */
  release(targetId: string, { isSuccess, startedAt }: Ended): boolean {
    const target = this.#targets.get(targetId)!
    const wasFull = this.#isFull(target)
    target.failingSince = isSuccess ? null : (target.failingSince ?? startedAt)
    if (isSuccess) this.#remember(target.projectId, targetId)
    else this.#known.get(target.projectId)?.delete(targetId)
    this.#free(targetId, target)
    return wasFull
  }

  #free(id: string, target: TargetState): void {
    target.inFlight -= 1
    this.#count(target.projectId, -1)
    if (!target.inFlight && target.failingSince === null) this.#targets.delete(id)
  }

  #inFlight(id: string): number {
    return this.#targets.get(id)?.inFlight ?? 0
  }

  /** Keeps the latest targets of a project, and the latest projects. */
  #remember(projectId: string, targetId: string): void {
    const targets = this.#known.get(projectId) ?? new Map<string, number>()
    remember(targets, targetId, this.#clock(), maxKnownTargets)
    remember(this.#known, projectId, targets, maxKnownProjects)
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
