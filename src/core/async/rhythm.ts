/** Returns true at most once per interval. */
export function createRhythm(everyMs: number): () => boolean {
  let at = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - at < everyMs) return false
    at = performance.now()
    return true
  }
}
