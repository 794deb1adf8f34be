import { percentile } from '../figures.ts'
import type { Arrival } from '../ledger/receiver.ts'
import type { Happening } from './disturb.ts'
import type { Shown } from './promises.ts'

/** The start of each complete step. */
const steps = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.floor((to - from) / step) }, (_, n) => from + n * step)

/** Times of first attempts before and during a held snapshot, and how soon they return to normal afterwards. */
export function judgeSnapshot(arrivals: Arrival[], { at, overAt, detail }: Happening): Shown {
  const first = arrivals.filter(({ attempt }) => attempt === 1)
  const p99 = (from: number, to: number): number =>
    percentile(
      first.filter(arrival => arrival.at >= from && arrival.at < to).map(({ age }) => age),
      0.99,
    )
  const [before, during] = [p99(at - 20_000, at), p99(at, overAt)]
  const minutes = steps(at, overAt, 60_000).map(from => p99(from, from + 60_000))
  const bound = Math.max(2 * before, 100)
  const normalAt = steps(overAt, overAt + 60_000, 5_000).find(from => p99(from, from + 5_000) <= bound)
  const after =
    normalAt === undefined
      ? 'not back to normal within a minute'
      : `as before ${(normalAt - overAt) / 1_000} s later`
  return {
    measured: `p99 ${before} ms before, ${during} ms while it was held (by minute: ${minutes.join(', ')}), ${after}; ${detail}`,
    isKept: during <= bound && normalAt !== undefined,
    ...(overAt - at < 590_000 && {
      note: 'Shorter than ten minutes; the full run is --faults snapshot --seconds 720 --rate 200',
    }),
  }
}
