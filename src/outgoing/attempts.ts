import type { ClaimedMessage, Phase } from './queue.ts'

/** What to do after a failed or interrupted call of a messenger. Such calls must not be repeated freely. */

export interface NextAttempt {
  waitMs: number
  phase: Phase
  /** The attempts that have failed. */
  attempts?: number
}

/** `F` describes a failure. */
export interface AttemptSteps<F> {
  /** The pauses after failed attempts, in milliseconds. If the attempt after the last pause also fails, the message has failed. */
  pauses: number[]
  /** Milliseconds until a message whose answer was lost is sent once more. */
  uncertainMs: number
  /** Releases the message until its next attempt. `failure`: why the attempt failed, if it did. */
  postpone(next: NextAttempt, failure?: F): Promise<void>
  recordFailed(failure: F): Promise<void>
  /** The message may have arrived. `failure`: of the latest attempt; null if the answer to it was lost too. */
  recordUnknown(failure: F | null): Promise<void>
}

/** The phase before the call. A message stays uncertain if the answer to an earlier attempt was lost. */
const phaseBefore = ({ phase }: ClaimedMessage): Phase => (phase === 'uncertain' ? 'uncertain' : 'waiting')

/** The phase that must be committed before a call. */
export const phaseOfCall = ({ phase }: ClaimedMessage): Phase =>
  phase === 'uncertain' ? 'repeated' : 'ending'

export function createAttemptRules<F>(claimed: ClaimedMessage, steps: AttemptSteps<F>) {
  const { pauses, uncertainMs, postpone, recordFailed, recordUnknown } = steps
  const isUncertain = claimed.phase === 'uncertain'

  /** If the answer to an earlier attempt was lost, the message may have arrived even if the latest attempt was refused. */
  const fail = (failure: F): Promise<void> => (isUncertain ? recordUnknown(failure) : recordFailed(failure))

  /** The answer was lost. The message is sent once more. If that answer is lost too, the outcome is unknown. */
  const judgeLost = (): Promise<void> =>
    isUncertain ? recordUnknown(null) : postpone({ waitMs: uncertainMs, phase: 'uncertain' })

  return {
    fail,
    judgeLost,
    /** Waits without counting an attempt. */
    wait: (waitMs: number): Promise<void> => postpone({ waitMs, phase: phaseBefore(claimed) }),
    async retryLater(failure: F): Promise<void> {
      const waitMs = pauses[claimed.attempts]
      if (waitMs === undefined) return fail(failure)
      await postpone({ waitMs, phase: phaseBefore(claimed), attempts: claimed.attempts + 1 }, failure)
    },
    /**
     * Continues from the phase in which an earlier attempt ended. Returns whether to call now. A call is repeated only once, so it waits
     * until the server answers again.
     */
    async begin(isAnswering: () => Promise<boolean>): Promise<boolean> {
      if (claimed.phase === 'waiting') return true
      // The process ended during the second attempt.
      if (claimed.phase === 'repeated') await recordUnknown(null)
      else if (isUncertain && (await isAnswering())) return true
      else await postpone({ waitMs: uncertainMs, phase: 'uncertain' })
      return false
    },
  }
}
