import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDataDir } from '../data.ts'
import { percentile, printTable, round } from '../figures.ts'
import { memoryOf } from '../process.ts'
import { startServer } from '../server.ts'
import { clock, countStatements, processorSeconds, type Stage } from '../updates/stage.ts'
import type { Order, Report, Seat } from './clients.ts'

export type Row = [what: string, wanted: string, measured: string, isKept: boolean]

export async function tell({ clients }: Stage, order: Order): Promise<Report> {
  clients.send(order)
  const [report] = await once(clients, 'message')
  return report as Report
}

/** Measures processor time and statements per second for some seconds. */
async function measureTime(stage: Stage, seconds: number): Promise<[cpu: number, statements: number]> {
  const begun = [processorSeconds(stage), await countStatements(stage)] as const
  await sleep(seconds * 1_000)
  const cpu = ((processorSeconds(stage) - begun[0]) / seconds) * 100
  return [cpu, ((await countStatements(stage)) - begun[1]) / seconds]
}

/** Memory after garbage collection, in MB. */
async function measureKept({ server }: Stage): Promise<number> {
  server.child.kill('SIGUSR2')
  await sleep(1_000)
  return memoryOf(server)
}

interface Held {
  seats: Seat[]
  /** The name of the pages in the report. */
  name: string
  /** See `Order`. */
  time: string
  /** The limit of memory per page in KB. */
  most: number
  /** The limit of idle processor use, in percent of a core. */
  idlest?: number
}

/** Measures the second half of the pages, because the first half allocates shared memory. First without presence requests, for less than 45 seconds, then with them. */
export async function hold(stage: Stage, seconds: number, held: Held): Promise<Row[]> {
  const { seats, name, time, most, idlest = 100 } = held
  const half = seats.length / 2
  const open = (part: Seat[]) => tell(stage, { name: 'open', port: stage.server.port, seats: part, time })
  await open(seats.slice(0, half))
  await tell(stage, { name: 'beat', everyMs: 20_000 })
  await sleep(2_000)
  const before = await measureKept(stage)
  const begun = clock()
  await open(seats.slice(half))
  const opened = (clock() - begun) / 1_000
  await tell(stage, { name: 'beat', everyMs: 0 })
  await sleep(2_000)
  const each = (((await measureKept(stage)) - before) * 1_024) / half
  const [idle, statements] = await measureTime(stage, seconds)
  await tell(stage, { name: 'beat', everyMs: 20_000 })
  const [beating] = await measureTime(stage, 20)
  const { failures } = await tell(stage, { name: 'take' })
  return [
    [`${seats.length} ${name}: memory of each`, `${most} KB`, `${round(each, 1)} KB`, each <= most],
    ['opening the second half of them', '', `${round(opened, 1)} s`, true],
    ['processor time while nothing happens', `${idlest} %`, `${round(idle, 1)} %`, idle <= idlest],
    ['statements a second, jobs included', '', `${round(statements, 1)}`, true],
    ['processor time while each beats every 20 s', '', `${round(beating, 1)} %`, true],
    ['streams that ended, beats that failed', '0', `${failures}`, failures === 0],
  ]
}

/** Writes at a fixed rate without waiting for responses. `limit` is the wanted p99 in ms. */
export interface Pace {
  rate: number
  seconds: number
  limit?: number
}

/** `write` returns how many pages should get the event, and whether the request succeeded. */
export async function follow(
  stage: Stage,
  { rate, seconds, limit }: Pace,
  what: string,
  write: (at: number) => Promise<{ told: number; isTaken: boolean }>,
): Promise<Row> {
  const writes: ReturnType<typeof write>[] = []
  const begun = clock()
  while (writes.length < rate * seconds) {
    await sleep(Math.max(0, begun + (writes.length * 1_000) / rate - clock()))
    writes.push(write(writes.length))
  }
  const written = await Promise.all(writes)
  await sleep(2_000)
  const { took, failures } = await tell(stage, { name: 'take' })
  const refused = written.filter(({ isTaken }) => !isTaken).length
  const missing = written.reduce((sum, { told }) => sum + told, -took.length)
  const [p50, p99] = [percentile(took, 0.5), percentile(took, 0.99)]
  return [
    what,
    limit ? `p99 ${limit} ms, none missing` : 'none missing',
    `p50 ${round(p50, 1)} ms, p99 ${round(p99, 1)} ms, ${missing} missing`,
    refused + failures + missing === 0 && (!limit || p99 <= limit),
  ]
}

/** Runs `measure` with a separate server. Returns the exit status. */
export async function withStage(
  settings: Record<string, string>,
  name: string,
  measure: (stage: Stage) => Promise<Row[]>,
): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'deskbell-bench-'))
  const collector = join(import.meta.dirname, 'collect.ts')
  const NODE_OPTIONS = `--expose-gc --import=${collector}`
  const server = await startServer({ DATA_DIR: dataDir, NODE_OPTIONS, ...settings })
  const clients = fork(join(import.meta.dirname, 'clients.ts'))
  const { db, close } = await openDataDir(dataDir)
  try {
    const rows = await measure({ server, db, clients })
    const shown = rows.map(([what, wanted, seen, isKept]) => [what, wanted, seen, isKept ? '' : 'NOT KEPT'])
    console.log(printTable([name, 'wanted', 'measured', ''], shown))
    return rows.every(([, , , isKept]) => isKept) ? 0 : 1
  } finally {
    clients.disconnect()
    await close()
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
