/** Far longer than a claim or a settlement takes. */
const longest = 10_000

/**
 * Stops waiting for a statement whose connection may have died without a word: the next one goes over another connection
 * of the pool. The statement itself may still take effect.
 */
export async function inTime<T>(statement: PromiseLike<T>, ms = longest): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const giveUp = () => reject(new Error(`The database has not answered within ${ms / 1_000} s`))
  const timer = setTimeout(giveUp, ms)
  try {
    return await Promise.race([statement, promise])
  } finally {
    clearTimeout(timer)
  }
}
