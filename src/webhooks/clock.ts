import { uptime } from 'node:os'

/** Milliseconds that no setting of a clock moves, and that count while the machine sleeps. */
const elapse = (): number => uptime() * 1_000

/** Milliseconds by which a clock may seem to be set when it was not: some systems tell their uptime in seconds. */
const toleranceMs = 2_000

/** How the clock was set. Milliseconds. */
export interface ClockJump {
  /** At most so far forward; negative: back. */
  by: number
  /** What it would show now had it not been set, since 1970. */
  unmoved: number
}

export interface DatabaseClock {
  /** Reads it: whether it was set since it was believed. At the first look nobody knows, which is told as set back. */
  findJump(): Promise<ClockJump | null>
  /** What was put off or hurried by the leap is in order again. */
  accept(): void
  /** The latest that it shows if nobody has set it, in milliseconds since 1970; null before the first look. */
  latest(): number | null
}

/** How far the database's clock is before the time that has elapsed: it was read between question and answer. */
interface Lead {
  least: number
  most: number
}

export function watchClock(readClock: () => Promise<number>, elapsed: () => number = elapse): DatabaseClock {
  let believed: Lead | null = null
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
      const leap = compare(believed, seen)
      if (!leap) believed = seen
      return leap
    },
    accept: () => {
      believed = seen
    },
    latest: () => believed && believed.most + elapsed(),
  }
}
