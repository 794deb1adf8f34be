/** How much may be under way at once, so that a target that hangs takes nothing from another. */

const perTarget = 8
const perProject = 64
const perProcess = 256

/** After so long without a success a target gets one attempt at a time. */
const patience = 10_000

/**
 * A failing target that was not tried for so long is forgotten: longer than the longest pause unless that was set. One
 * that is forgotten too soon gets its eight slots back, and loses them again after `patience`.
 */
const memory = 8 * 3_600_000

export interface Room {
  total: number
  /** Of a project and of a target that nothing is under way for. */
  project: number
  cap: number
  targets: { id: string; inFlight: number; isProbing: boolean }[]
  projects: { id: string; room: number; cap: number }[]
}

interface Place {
  projectId: string
  inFlight: number
  failingSince: number | null
  lastAt: number
}

interface Ended {
  isSuccess: boolean
  startedAt: number
}

/** As the whole fills, each part gets less of it: dozens of hanging targets leave room for the others. */
const share = (inFlight: number, limit: number): number =>
  inFlight < limit / 2 ? perTarget : inFlight < limit * 0.75 ? 2 : 1

export class Slots {
  readonly #targets = new Map<string, Place>()
  readonly #projects = new Map<string, number>()
  readonly #clock: () => number
  #total = 0

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
  }

  room(): Room {
    this.#forget()
    const targets = [...this.#targets].map(([id, place]) => ({
      id,
      inFlight: place.inFlight,
      isProbing: this.#isProbing(place),
    }))
    return {
      total: perProcess - this.#total,
      project: perProject,
      cap: share(this.#total, perProcess),
      targets: targets.filter(({ inFlight, isProbing }) => inFlight || isProbing),
      projects: [...this.#projects].map(([id, count]) => ({
        id,
        room: perProject - count,
        cap: share(count, perProject),
      })),
    }
  }

  take(projectId: string, targetId: string): void {
    const lastAt = this.#clock()
    const place = this.#targets.get(targetId) ?? { projectId, inFlight: 0, failingSince: null, lastAt }
    place.inFlight += 1
    place.lastAt = lastAt
    this.#targets.set(targetId, place)
    this.#count(projectId, 1)
  }

  /** Says whether the target, its project or the process was full, so that something may have waited for this. */
  free(targetId: string, { isSuccess, startedAt }: Ended): boolean {
    const place = this.#targets.get(targetId)!
    const wasFull = this.#isFull(place)
    place.inFlight -= 1
    place.failingSince = isSuccess ? null : (place.failingSince ?? startedAt)
    this.#count(place.projectId, -1)
    if (!place.inFlight && isSuccess) this.#targets.delete(targetId)
    return wasFull
  }

  #isProbing({ failingSince }: Place): boolean {
    return failingSince !== null && this.#clock() - failingSince > patience
  }

  #isFull(place: Place): boolean {
    const inProject = this.#projects.get(place.projectId)!
    const cap = Math.min(share(this.#total, perProcess), share(inProject, perProject))
    const isTargetFull = place.inFlight >= (this.#isProbing(place) ? 1 : cap)
    return isTargetFull || inProject >= perProject || this.#total >= perProcess
  }

  #count(projectId: string, change: number): void {
    this.#total += change
    const count = (this.#projects.get(projectId) ?? 0) + change
    if (count) this.#projects.set(projectId, count)
    else this.#projects.delete(projectId)
  }

  #forget(): void {
    const horizon = this.#clock() - memory
    for (const [id, { inFlight, lastAt }] of this.#targets) {
      if (!inFlight && lastAt < horizon) this.#targets.delete(id)
    }
  }
}
