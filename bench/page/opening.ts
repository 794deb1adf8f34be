import type { BrowserContext } from 'playwright-core'
import type { Showroom } from '../../test/showroom.ts'
import { median, round } from '../figures.ts'
import { type Row, untilShown, windowSize } from './frames.ts'

/** Opens the dashboard in new windows. */

interface Opening {
  ms: number
  /** The processor time of the page's main thread in milliseconds, which other programs do not affect. */
  cpu: number
  requests: number
}

async function openOnce(context: BrowserContext, path: string): Promise<Opening> {
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.goto(path, { waitUntil: 'commit' })
  const ms = await untilShown(page)
  const { metrics } = await devtools.send('Performance.getMetrics')
  const cpu = (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000
  // Once the page is idle, it loads what may be needed later.
  const requests = await page.evaluate<number>(
    `performance.getEntriesByType('resource').filter(({ startTime }) => startTime < ${ms}).length + 1`,
  )
  await page.close()
  return { ms, cpu, requests }
}

export async function measureOpening(showroom: Showroom, path: string, rounds: number): Promise<Row[]> {
  const cold: Opening[] = []
  const warm: Opening[] = []
  for (let round = 0; round < rounds; round++) {
    const context = await showroom.open(windowSize)
    cold.push(await openOnce(context, path))
    warm.push(await openOnce(context, path))
    await context.close()
  }
  return [
    ...describeOpening('list and conversation shown, empty cache', cold),
    ...describeOpening('the same with a full cache', warm),
    ['requests until then', '', `${cold[0]!.requests}`, true],
  ]
}

function describeOpening(what: string, openings: Opening[]): Row[] {
  const taken = openings.map(({ ms }) => ms)
  const used = openings.map(({ cpu }) => cpu)
  return [
    [`${what}: median`, '1000 ms', `${round(median(taken), 0)} ms`, median(taken) < 1_000],
    ['  the best of them', '', `${round(Math.min(...taken), 0)} ms`, true],
    ['  processor time of the page, median', '', `${round(median(used), 0)} ms`, true],
  ]
}
