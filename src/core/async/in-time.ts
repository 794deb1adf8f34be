/** Waits up to `ms` milliseconds for work. After that the work continues, and `onLate` provides the result or throws. */
export async function within<T>(ms: number, work: T | PromiseLike<T>, onLate: () => T): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  try {
    return await Promise.race([work, promise.then(onLate)])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Stops waiting for a statement whose connection may be dead, so that the next one can use another connection of the pool.
 * The statement may still take effect.
 */
export const inTime = <T>(statement: PromiseLike<T>, ms = 5_000): Promise<T> =>
  within(ms, statement, () => {
    throw new Error(`The database has not answered within ${ms / 1_000} s`)
  })
