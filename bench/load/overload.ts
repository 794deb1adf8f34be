import { printTable, round } from '../figures.ts'
import { record } from '../results.ts'
import type { Report } from './order.ts'

/** Generates load at a rate for some seconds. */
export type Load = (rate: number, seconds: number) => Promise<Report>

const keepsUp = ({ all }: Report): boolean =>
  all.failed + all.left + all.refused <= 0.001 * all.planned && all.p99 < 1_000

/** Finds the sustainable rate, and the highest rate of responses in time. */
async function climb(load: Load, from: number, seconds: number) {
  let [sustained, peak] = [0, 0]
  for (let rate = from; ; rate *= 1.6) {
    const seen = await load(rate, seconds)
    peak = Math.max(peak, seen.all.perSecond)
    console.log(`  ${Math.round(rate)} a second: ${describe(seen)}`)
    if (!keepsUp(seen)) return { sustained: sustained || rate, peak }
    sustained = rate
  }
}

const describe = ({ all, cpu }: Report): string =>
  `${Math.round(all.perSecond)} answered, ${all.refused} refused, ${all.failed} failed, ${all.left} left; ` +
  `p50 ${round(all.p50, 1)} ms, p99 ${round(all.p99, 1)} ms; load CPU ${round(cpu)}`

/** Seconds until the times are normal again. */
async function recover(load: Load, rate: number, usualP99: number): Promise<number> {
  for (let second = 1; second <= 15; second++) {
    const { all } = await load(rate, 1)
    if (all.p99 <= usualP99 && all.failed + all.left + all.refused === 0) return second - 1
  }
  return Number.POSITIVE_INFINITY
}

/** Sends three times the sustainable rate, then half of it. */
export async function overload(load: Load, seconds: number): Promise<boolean> {
  await recover(load, 50, 1_000)
  const { sustained, peak } = await climb(load, 100, 3)
  await recover(load, 50, 1_000)
  const before = (await load(sustained / 2, 3)).all.p99
  const over = await load(3 * sustained, seconds)
  const recovered = await recover(load, sustained / 2, Math.max(100, 2 * before))
  const share = over.all.perSecond / peak
  const rows = [
    ['kept up with, a second', Math.round(sustained), ''],
    ['most answered in time, a second', Math.round(peak), ''],
    [`answered in time at ${Math.round(3 * sustained)} a second`, Math.round(over.all.perSecond), ''],
    ['of the most', `${round(share * 100, 0)} %`, '80 %'],
    ['p99 of those answered', `${round(over.all.p99, 0)} ms`, ''],
    ['refused, failed, left', `${over.all.refused}, ${over.all.failed}, ${over.all.left}`, ''],
    ['p99 at half of it before', `${round(before, 0)} ms`, ''],
    ['seconds until it is at most twice that again', recovered, '5'],
  ]
  console.log(`\n${printTable(['overload', 'measured', 'wanted'], rows)}`)
  const isKept = share >= 0.8 && recovered <= 5 && over.all.failed === 0
  record('A10', {
    measured: `${rows[2]![1]} answered of ${Math.round(3 * sustained)} a second, ${rows[3]![1]} of the maximum, normal after ${recovered} s`,
    isKept,
    ...(!isKept && { note: 'See bench/README.md' }),
  })
  return isKept
}
