import { until } from './until.ts'

/**
 * Reads a page until it has a total. On a busy machine, counting may take longer than the second after which
 * it is given up.
 */
export const untilCounted = <T extends { total: number | null }>(read: () => Promise<T>): Promise<T> =>
  until(async () => {
    const page = await read()
    return page.total === null ? null : page
  }) as Promise<T>
