import { uptime } from 'node:os'

/** The uptime of the machine in milliseconds. Changing a clock does not affect it, and it includes sleep. */
const elapse = (): number => uptime() * 1_000

/** Milliseconds by which the clock may seem to jump although it did not: some systems report their uptime in whole seconds. */
const toleranceMs = 2_000

/** A jump of the clock, in milliseconds. */
export interface ClockJump {
  /** How far forward it jumped at most; negative means back. */
  by: number
  /** What the clock would show without the jump, in milliseconds since 1970. */
  unmoved: number
}

export interface DatabaseClock {
  /** Reads the clock and returns a jump since the last `accept`. At the first reading this is unknown, and reported as a jump back. */
  findJump(): Promise<ClockJump | null>
  /** Confirms that the affected times have been corrected. */
  accept(): void
  /** The latest time that the clock can show without a jump, in milliseconds since 1970; null before the first reading. */
  latest(): number | null
}

/** How far the database's clock is ahead of the uptime, as a range: it was read at some moment between request and response. */
interface Lead {
  least: number
  most: number
}

export function watchClock(readClock: () => Promise<number>, elapsed: () => number = elapse): DatabaseClock {
  let accepted: Lead | null = null
  let seen: Lead | null = null

  function compare(from: Lead | null, to: Lead): ClockJump | null {
    if (!from) return { by: Number.NEGATIVE_INFINITY, unmoved: to.most + elapsed() }
    const isSet = to.least > from.most + toleranceMs || to.most < from.least - toleranceMs
    return isSet ? { by: to.most - from.least, unmoved: from.most + elapsed() } : null
  }

  return {
    async findJump() {
      const askedAt = elapsed()
      const shown = await readClock()
      seen = { least: shown - elapsed(), most: shown - askedAt }
      const jump = compare(accepted, seen)
      if (!jump) accepted = seen
      return jump
    },
    accept: () => {
      accepted = seen
    },
    latest: () => accepted && accepted.most + elapsed(),
  }
}
