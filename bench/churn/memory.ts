import { countOpen, listTree, memoryOf, privateMemoryOf } from '../process.ts'
import type { Server } from '../server.ts'

/** The resources of the server at a moment, without its Postgres. */
export interface Hold {
  /** Hours since this program started. */
  at: number
  megabytes: number
  postgres: number
  open: number
}

export function takeHold(server: Server): Hold {
  const [, ...below] = listTree(server.child.pid!)
  return {
    at: performance.now() / 3_600_000,
    megabytes: memoryOf(server),
    postgres: below.reduce((sum, pid) => sum + privateMemoryOf(pid), 0),
    open: countOpen(server),
  }
}

export type Reading = 'megabytes' | 'postgres' | 'open'

/** The growth of a reading per hour, by linear regression. */
export function slopeOf(holds: readonly Hold[], reading: Reading): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const at = mean(holds.map(hold => hold.at))
  const value = mean(holds.map(hold => hold[reading]))
  const spread = holds.reduce((sum, hold) => sum + (hold.at - at) ** 2, 0)
  return holds.reduce((sum, hold) => sum + (hold.at - at) * (hold[reading] - value), 0) / spread
}

export const rangeOf = (holds: readonly Hold[], reading: Reading): [number, number] => {
  const values = holds.map(hold => hold[reading])
  return [Math.min(...values), Math.max(...values)]
}
