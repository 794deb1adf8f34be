/** How much may be under way at once, so that a target that hangs takes nothing from another. */

const perTarget = 8
const perProject = 64
const perProcess = 256

/** After so long without a success a target gets one attempt at a time. */
const patience = 10_000

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
}

/** As the whole fills, each part gets less of it: dozens of hanging targets leave room for the others. */
const share = (inFlight: number, limit: number): number =>
  inFlight < limit / 2 ? perTarget : inFlight < limit * 0.75 ? 2 : 1

export interface Slots {
  room(): Room
  take(projectId: string, targetId: string): void
  /** Says whether the target, its project or the process was full, so that something may have waited for this. */
  free(targetId: string, ended: { isSuccess: boolean; startedAt: number }): boolean
  count(): number
}

export function createSlots(clock: () => number = () => performance.now()): Slots {
  const targets = new Map<string, Place>()
  const projects = new Map<string, number>()
  let total = 0

  const isProbing = ({ failingSince }: Place): boolean =>
    failingSince !== null && clock() - failingSince > patience

  function countProject(id: string, change: number): number {
    const count = (projects.get(id) ?? 0) + change
    if (count) projects.set(id, count)
    else projects.delete(id)
    return count
  }

  function note(place: Place, { isSuccess, startedAt }: { isSuccess: boolean; startedAt: number }): void {
    if (isSuccess) place.failingSince = null
    else place.failingSince ??= startedAt
  }

  return {
    room: () => ({
      total: perProcess - total,
      project: perProject,
      cap: share(total, perProcess),
      targets: [...targets].map(([id, place]) => ({
        id,
        inFlight: place.inFlight,
        isProbing: isProbing(place),
      })),
      projects: [...projects].map(([id, count]) => ({
        id,
        room: perProject - count,
        cap: share(count, perProject),
      })),
    }),
    take(projectId, targetId) {
      const place = targets.get(targetId) ?? { projectId, inFlight: 0, failingSince: null }
      place.inFlight += 1
      targets.set(targetId, place)
      countProject(projectId, 1)
      total += 1
    },
    free(targetId, ended) {
      const place = targets.get(targetId)!
      const before = countProject(place.projectId, 0)
      const cap = isProbing(place) ? 1 : Math.min(share(total, perProcess), share(before, perProject))
      const wasFull = place.inFlight >= cap || before >= perProject || total >= perProcess
      place.inFlight -= 1
      countProject(place.projectId, -1)
      total -= 1
      note(place, ended)
      if (!place.inFlight && place.failingSince === null) targets.delete(targetId)
      return wasFull
    },
    count: () => total,
  }
}
