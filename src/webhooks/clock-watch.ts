/** Milliseconds that an answer may take longer than the one before without looking like a clock that was set back. */
const tolerance = 500

/**
 * Whether the clock that is read was set back since the last look. Nobody knows that at the first look, which is
 * therefore answered with yes.
 */
export function watchClock(
  readClock: () => Promise<number>,
  elapsed: () => number = () => performance.now(),
): () => Promise<boolean> {
  let ahead = Number.POSITIVE_INFINITY
  return async () => {
    const before = ahead
    ahead = (await readClock()) - elapsed()
    return ahead < before - tolerance
  }
}
