import { setTimeout } from 'node:timers/promises'
import { ApiError } from '../core/errors.ts'
import { stringOf } from '../core/objects.ts'
import { UserError } from '../core/user-error.ts'

/** With the 9 seconds that each call waits for the lock, about three minutes. */
const maxRepeats = 12
const pauseMs = 5_000

export interface Waiting {
  signal: AbortSignal
  /** Prints a line of progress. */
  tell(line: string): void
  /** Waits for so many milliseconds. Tests replace it. */
  wait?(ms: number): Promise<void>
}

const isBusy = (error: unknown): boolean =>
  error instanceof ApiError && stringOf(error.detail, 'reason') === 'import_busy'

/**
 * Repeats a call of an import that another call with the same source has held up for too long. The other one may be in this process,
 * because files are stored while a batch is written.
 */
export async function repeatWhileBusy<T>(
  { signal, tell, wait = ms => setTimeout(ms, undefined, { signal }) }: Waiting,
  call: () => Promise<T>,
): Promise<T> {
  for (let repeats = 0; ; repeats++) {
    try {
      return await call()
    } catch (error) {
      if (!isBusy(error)) throw error
      if (repeats === maxRepeats)
        throw new UserError(
          'Another program has been importing or removing data under this name for some minutes. Wait until it has finished, and run the same command again',
        )
    }
    if (repeats === 0) tell('Waiting for another program that imports or removes data under this name')
    await wait(pauseMs)
  }
}
