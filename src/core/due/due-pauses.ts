import type { DueRow } from './due-work.ts'

/** Milliseconds after the first failure. Each failure after it doubles the pause. */
const firstPauseMs = 1_500

/** A minute, because the cause may be fixed at any time. */
const maxPauseMs = 60_000

/** After this time without another attempt by this process, another process has done the work or the work no longer exists. */
const forgetAfterMs = 10 * maxPauseMs

type Work = Pick<DueRow, 'kind' | 'project_id' | 'subject_id'>

export interface Pauses {
  /** Whether the work may be tried now. */
  isOver(work: Work): boolean
  /** Begins the pause after a failure and returns its length in milliseconds. */
  begin(work: Work): number
  end(work: Work): void
  /** At least the number of pauses that have not ended. */
  count(): number
}

const keyOf = ({ kind, project_id, subject_id }: Work): string => `${kind} ${project_id} ${subject_id}`

/** The pauses of due work that failed, in this process. */
export function createPauses(clock = () => performance.now()): Pauses {
  /** In order of the last failure. */
  const failed = new Map<string, { failures: number; at: number; pause: number }>()

  function forget(): void {
    for (const [key, { at }] of failed) {
      if (clock() - at < forgetAfterMs) return
      failed.delete(key)
    }
  }

  return {
    isOver(work) {
      const last = failed.get(keyOf(work))
      return !last || clock() - last.at >= last.pause
    },
    begin(work) {
      const key = keyOf(work)
      const failures = (failed.get(key)?.failures ?? 0) + 1
      const pause = Math.min(firstPauseMs * 2 ** (failures - 1), maxPauseMs)
      failed.delete(key)
      failed.set(key, { failures, at: clock(), pause })
      forget()
      return pause
    },
    end: work => void failed.delete(keyOf(work)),
    count: () => failed.size,
  }
}
