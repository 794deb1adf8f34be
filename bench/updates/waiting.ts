import { setTimeout as sleep } from 'node:timers/promises'
import { type Caller, openCaller } from '../calls.ts'
import { percentile, round } from '../figures.ts'
import { memoryOf } from '../process.ts'
import type { Took } from './clients.ts'
import type { Shown } from './show.ts'
import {
  addKeys,
  clock,
  countStatements,
  processorSeconds,
  type Stage,
  seat,
  take,
  timeReads,
  unseat,
} from './stage.ts'

/** Milliseconds for garbage collection. The whole measurement must be shorter than one waiting call. */
const calm = 20_000

/** Measures many waiting calls of a hundred projects without events. */
export async function hold(stage: Stage, clients: number, seconds: number): Promise<Shown[]> {
  const keys = await addKeys(stage, 100)
  await timeReads(stage, keys[0]!, 2_000)
  const alone = percentile(await timeReads(stage, keys[0]!, 1_000), 0.99)
  await sleep(calm)
  const idle = await countWhile(stage, seconds)
  const before = memoryOf(stage.server)
  await seat(stage, keys, clients)
  await sleep(calm)
  const each = ((memoryOf(stage.server) - before) * 1_024) / clients
  const begun = processorSeconds(stage)
  const statements = await countWhile(stage, seconds)
  const cpu = ((processorSeconds(stage) - begun) / seconds) * 100
  const beside = percentile(await timeReads(stage, keys[0]!, 1_000), 0.99)
  const { failures } = await take(stage)
  await unseat(stage)
  const line = (what: string, wanted: string, measured: string, isKept: boolean): Shown => ({
    id: 'U4',
    what,
    wanted,
    measured,
    isKept,
  })
  return [
    line(`memory of each of ${clients} waiting calls`, '20 KB', `${round(each, 1)} KB`, each <= 20),
    line('idle processor time', '2 %', `${round(cpu, 1)} %`, cpu <= 2),
    line(
      'p99 of reading with waiting calls / without',
      '1.5',
      `${round(beside / alone)} (${round(beside, 1)} ms)`,
      beside / alone <= 1.5,
    ),
    line('failed calls', '0', `${failures}`, failures === 0),
    {
      id: 'U6',
      what: 'statements per second for waiting calls',
      wanted: '2',
      // Background jobs and deliveries run statements too.
      measured: `${round(statements - idle, 1)} (${round(idle, 1)} without waiting calls)`,
      isKept: statements - idle <= 2,
    },
  ]
}

async function countWhile(stage: Stage, seconds: number): Promise<number> {
  const before = await countStatements(stage)
  await sleep(seconds * 1_000)
  return ((await countStatements(stage)) - before) / seconds
}

/** Creates tickets at a fixed rate with each caller in turn, without waiting for responses. */
async function write(callers: Caller[], rate: number, seconds: number): Promise<void> {
  const writes: Promise<unknown>[] = []
  const begun = clock()
  while (writes.length < rate * seconds) {
    await sleep(Math.max(0, begun + (writes.length * 1_000) / rate - clock()))
    const body = { contact: { email: 'ann@example.com' }, subject: String(clock()) }
    writes.push(callers[writes.length % callers.length]!.call('POST', '/tickets', body))
  }
  await Promise.all(writes)
}

export interface Telling {
  rate: number
  projects: number
  seconds: number
  /** Whether the times are part of the promise. Otherwise, only completeness is checked. */
  isPromised?: boolean
}

/** The events of these seconds do not count, because a project's first ticket also creates a connection, a contact and a budget. */
const warmUp = 4

const allOf = (took: Took[]): number[] => took.map(({ all }) => all)

/** A thousand clients wait for events, evenly distributed over the projects. */
export async function tell(stage: Stage, { rate, projects, seconds, isPromised }: Telling): Promise<Shown> {
  const keys = await addKeys(stage, projects)
  const count = 1_000
  await seat(stage, keys, count)
  const callers = keys.map(key => openCaller(stage.server.url, key))
  await write(callers, rate, warmUp)
  await sleep(2_000)
  const early = await take(stage)
  const before = processorSeconds(stage)
  await write(callers, rate, seconds)
  await sleep(2_000)
  const cpu = processorSeconds(stage) - before
  const { answers, took, failures } = await take(stage)
  for (const caller of callers) caller.close()
  await unseat(stage)
  const written = took.map(one => one.written)
  const [p50, p99] = [percentile(written, 0.5), percentile(written, 0.99)]
  const whole = percentile(allOf(took), 0.99)
  const missing = (count / projects) * rate * (warmUp + seconds) - early.took.length - took.length
  return {
    ...(isPromised && { id: 'U3' as const }),
    what: `${count} wait in ${projects === 1 ? 'one project' : `${projects} projects`}, ${rate} tickets a second`,
    wanted: isPromised ? 'p50 25 ms, p99 100 ms' : 'none missing',
    measured: `p50 ${round(p50, 1)} ms, p99 ${round(p99, 1)} ms (${round(whole, 1)} ms with the write), ${missing} missing, ${round((cpu / answers) * 1e6, 0)} µs of processor per response`,
    isKept: early.failures + failures + missing === 0 && (!isPromised || (p50 <= 25 && p99 <= 100)),
  }
}

/** All clients wait for one project. One event answers all of them, while other callers read. */
export async function herd(stage: Stage, clients: number): Promise<Shown[]> {
  const [key, other] = (await addKeys(stage, 2)) as [string, string]
  await seat(stage, [key], clients)
  const begun = clock()
  const writer = openCaller(stage.server.url, key)
  const writing = write([writer], 1, 1)
  const reads = await timeReads(stage, other, 200)
  const seconds = (clock() - begun) / 1_000
  await writing
  writer.close()
  await sleep(10_000)
  const { took } = await take(stage)
  await unseat(stage)
  const last = percentile(allOf(took), 1)
  const p99 = percentile(reads, 0.99)
  return [
    {
      id: 'U5',
      what: `one event for ${clients} waiting calls`,
      wanted: 'all within 1 s',
      measured: `${took.length} within ${round(last / 1_000)} s`,
      isKept: took.length === clients && last <= 1_000,
    },
    {
      id: 'U5',
      what: 'p99 of 200 concurrent reads',
      wanted: '100 ms',
      measured: `${round(p99, 1)} ms, in ${round(seconds)} s`,
      isKept: p99 <= 100,
    },
  ]
}
