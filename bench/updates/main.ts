import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openCaller } from '../calls.ts'
import { openDataDir } from '../data.ts'
import { percentile, printTable, round } from '../figures.ts'
import { startServer } from '../server.ts'
import {
  addKeys,
  clock,
  countStatements,
  processorSeconds,
  residentKb,
  type Stage,
  seat,
  take,
  timeReads,
  unseat,
} from './stage.ts'

const options = {
  clients: { type: 'string', default: '10000' },
  seconds: { type: 'string', default: '20' },
} as const

type Row = [what: string, wanted: string, measured: string, isKept: boolean]

/** Many who wait, of a hundred projects, and nothing happens. */
async function hold(stage: Stage, clients: number, seconds: number): Promise<Row[]> {
  const keys = await addKeys(stage, 100)
  await timeReads(stage, keys[0]!, 2_000)
  const alone = percentile(await timeReads(stage, keys[0]!, 1_000), 0.99)
  const before = residentKb(stage)
  await seat(stage, keys, clients)
  const each = (residentKb(stage) - before) / clients
  const begun = [processorSeconds(stage), await countStatements(stage)] as const
  await sleep(seconds * 1_000)
  const cpu = ((processorSeconds(stage) - begun[0]) / seconds) * 100
  const statements = ((await countStatements(stage)) - begun[1]) / seconds
  const beside = percentile(await timeReads(stage, keys[0]!, 1_000), 0.99)
  const { failures } = await take(stage)
  await unseat(stage)
  return [
    [`${clients} wait: memory of each`, '20 KB', `${round(each, 1)} KB`, each <= 20],
    ['processor time while nothing happens', '2 %', `${round(cpu, 1)} %`, cpu <= 2],
    // Background jobs make the most of them, waiting or not.
    ['statements a second, jobs included', '', `${round(statements, 1)}`, true],
    [
      'p99 of reading beside them / alone',
      '1.5',
      `${round(beside / alone)} (${round(beside, 1)} ms)`,
      beside / alone <= 1.5,
    ],
    ['calls that failed', '0', `${failures}`, failures === 0],
  ]
}

/** Creates tickets at a fixed rate, whatever the answers do. */
async function write({ server }: Stage, key: string, rate: number, seconds: number): Promise<void> {
  const caller = openCaller(server.url, key)
  const writes: Promise<unknown>[] = []
  const begun = clock()
  while (writes.length < rate * seconds) {
    await sleep(Math.max(0, begun + (writes.length * 1_000) / rate - clock()))
    writes.push(
      caller.call('POST', '/tickets', { contact: { email: 'ann@example.com' }, subject: String(clock()) }),
    )
  }
  await Promise.all(writes)
  caller.close()
}

/** A thousand wait for the events of one project. */
async function tellOne(
  stage: Stage,
  rate: number,
  seconds: number,
  limits: [number, number] | null,
): Promise<Row> {
  const keys = await addKeys(stage, 1)
  const count = 1_000
  await seat(stage, keys, count)
  const before = processorSeconds(stage)
  await write(stage, keys[0]!, rate, seconds)
  await sleep(2_000)
  const cpu = processorSeconds(stage) - before
  const { answers, took, failures } = await take(stage)
  await unseat(stage)
  const [p50, p99] = [percentile(took, 0.5), percentile(took, 0.99)]
  const missing = count * rate * seconds - took.length
  const isKept = failures + missing === 0 && (!limits || (p50 <= limits[0] && p99 <= limits[1]))
  return [
    `${count} of one project wait, ${rate} tickets a second`,
    limits ? `p50 ${limits[0]} ms, p99 ${limits[1]} ms` : 'none missing',
    `p50 ${round(p50, 1)} ms, p99 ${round(p99, 1)} ms, ${missing} missing; ${round((cpu / answers) * 1e6, 0)} µs of processor time for each answer`,
    isKept,
  ]
}

/** All wait for one project; one event answers them all, while others read. */
async function herd(stage: Stage, clients: number): Promise<Row[]> {
  const [key, other] = (await addKeys(stage, 2)) as [string, string]
  await seat(stage, [key], clients)
  const begun = clock()
  const writing = write(stage, key, 1, 1)
  const reads = await timeReads(stage, other, 200)
  await writing
  await sleep(10_000)
  const { took } = await take(stage)
  await unseat(stage)
  const last = percentile(took, 1)
  const p99 = percentile(reads, 0.99)
  return [
    [
      `one event for ${clients} who wait`,
      'all within 1 s',
      `${took.length} within ${round(last / 1_000)} s`,
      took.length === clients && last <= 1_000,
    ],
    [
      'p99 of 200 other reads meanwhile',
      '100 ms',
      `${round(p99, 1)} ms, in ${round((clock() - begun) / 1_000)} s`,
      p99 <= 100,
    ],
  ]
}

async function measure(stage: Stage, clients: number, seconds: number): Promise<boolean> {
  const rows = [
    ...(await hold(stage, clients, seconds)),
    await tellOne(stage, 1, seconds, [25, 100]),
    await tellOne(stage, 5, seconds, null),
    ...(await herd(stage, clients)),
  ]
  const shown = rows.map(([what, wanted, measured, isKept]) => [
    what,
    wanted,
    measured,
    isKept ? '' : 'NOT KEPT',
  ])
  console.log(printTable(['updates', 'wanted', 'measured', ''], shown))
  return rows.every(([, , , isKept]) => isKept)
}

/** Long polling: what waiting costs, and how soon an event is told. */
export async function updates(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const dataDir = mkdtempSync(join(tmpdir(), 'deskbell-bench-'))
  const limits = { UPDATES_WAITING_PER_KEY: values.clients, UPDATES_WAITING_PER_PROCESS: values.clients }
  const server = await startServer({ DATA_DIR: dataDir, ...limits })
  const clients = fork(join(import.meta.dirname, 'clients.ts'))
  const { db, close } = await openDataDir(dataDir)
  try {
    const isKept = await measure({ server, db, clients }, Number(values.clients), Number(values.seconds))
    return isKept ? 0 : 1
  } finally {
    clients.disconnect()
    await close()
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
