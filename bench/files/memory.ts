import { setTimeout as sleep } from 'node:timers/promises'
import { maxFileBytes } from '../../src/media/limits.ts'
import { median, percentile, printTable } from '../figures.ts'
import { watch } from '../watch.ts'
import { call, run, type Stage, tell } from './stage.ts'

/** Milliseconds. In a shorter time, the p99 would depend on a single call. */
const least = 8_000

/** Repeats work, and measures how much the memory grew and how long concurrent calls took. */
async function repeat(stage: Stage, work: () => Promise<unknown>) {
  let [turns, seconds] = [0, 0]
  const { rise, calls } = await watch(
    stage.server,
    () => call(stage),
    async () => {
      const begun = performance.now()
      for (; performance.now() - begun < least; turns++) await work()
      seconds = (performance.now() - begun) / 1_000 / turns
    },
  )
  return { rise, seconds, p50: median(calls), p99: percentile(calls, 0.99) }
}

/** Excludes memory that the first requests allocate once. */
async function warmUp(stage: Stage): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    const id = await run(stage, { size: 20_000_000, count: 10, id: null })
    await run(stage, { size: 20_000_000, count: 10, id })
  }
}

/** Measures the server's memory and concurrent calls during transfers of 200 MB files. */
export async function memory(stage: Stage): Promise<boolean> {
  await warmUp(stage)
  const size = maxFileBytes
  const seen: { name: string; rise: number; p99: number; row: string[] }[] = []
  const step = async (name: string, work: () => Promise<unknown>) => {
    const { rise, seconds, p50, p99 } = await repeat(stage, work)
    const row = [name, `+${rise.toFixed(0)} MB`, seconds.toFixed(1), p50.toFixed(1), p99.toFixed(1)]
    seen.push({ name, rise, p99, row })
  }
  let id = ''
  await step('nothing', () => sleep(5_000))
  await step('one up', async () => {
    id = await run(stage, { size, count: 1, id: null })
  })
  await step('one down', () => run(stage, { size, count: 1, id }))
  await step('eight concurrent uploads', () => run(stage, { size, count: 8, id: null }))
  await step('eight concurrent downloads', () => run(stage, { size, count: 8, id }))
  const head = ['200 MB', 'memory', 'seconds each time', 'p50 ms of other calls', 'p99 ms']
  console.log(
    printTable(
      head,
      seen.map(({ row }) => row),
    ),
  )
  const [alone, , , up, down] = seen
  const isKept = seen.every(({ rise, p99 }) => rise <= 64 && p99 <= 3 * alone!.p99)
  const told = [up!, down!].map(
    ({ name, rise, p99 }) => `${name}: +${rise.toFixed(0)} MB, p99 of others ${p99.toFixed(0)} ms`,
  )
  return tell('F2', `${told.join('; ')}; ${alone!.p99.toFixed(0)} ms without files`, isKept)
}
