/** Work that nobody waits for rests three times as long as it took, and so leaves the machine to those who do wait. */
const times = 3

/** Milliseconds: so long that others get their turn, and so short that a million rows are gone within minutes. */
const [shortest, longest] = [10, 500]

/** How long to rest after a batch, before the next one. */
export const restAfter = (took: number): number => Math.min(Math.max(took * times, shortest), longest)
