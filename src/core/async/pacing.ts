/** Background work pauses three times as long as it ran, so that requests get most of the machine. */
const pauseFactor = 3

/** Milliseconds: long enough for requests to run, and short enough that a million rows are deleted within minutes. */
const [minPauseMs, maxPauseMs] = [10, 500]

/** How long to pause between two batches. */
export const pauseAfter = (took: number): number =>
  Math.min(Math.max(took * pauseFactor, minPauseMs), maxPauseMs)
