/** Work that nobody waits for rests three times as long as it took, and so leaves the machine to those who do wait. */
const pauseFactor = 3

/** Milliseconds: so long that others get their turn, and so short that a million rows are gone within minutes. */
const [minPauseMs, maxPauseMs] = [10, 500]

/** How long to rest after a batch, before the next one. */
export const pauseAfter = (took: number): number =>
  Math.min(Math.max(took * pauseFactor, minPauseMs), maxPauseMs)
