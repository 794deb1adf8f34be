import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../src/core/db.ts'
import { findPostgres } from '../../src/core/postgres.ts'
import { createKey } from '../../src/keys/keys.ts'
import { largestFile } from '../../src/media/schema.ts'
import { listProjects } from '../../src/projects/projects.ts'
import { median, percentile, printTable } from '../figures.ts'
import { type Server, startServer } from '../server.ts'
import type { Order } from './load.ts'

/** `bin/bench files`: what files of 200 MB cost the server's memory, and the calls beside them. */

interface Bench {
  server: Server
  key: string
  load: ChildProcess
}

/** In MB. */
const memoryOf = ({ child }: Server): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1024

async function call({ server, key }: Bench): Promise<number> {
  const begun = performance.now()
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${server.url}/api/v1/tickets?page_size=1`, { headers })
  await response.arrayBuffer()
  return performance.now() - begun
}

/** Runs work and tells how far the memory rose meanwhile, and how long calls beside it took. */
async function watch(bench: Bench, work: () => Promise<unknown>) {
  const before = memoryOf(bench.server)
  let highest = before
  let isOver = false
  const calls: number[] = []
  const beside = async () => {
    for (; !isOver; await sleep(10)) {
      calls.push(await call(bench))
      highest = Math.max(highest, memoryOf(bench.server))
    }
  }
  const watching = beside()
  const begun = performance.now()
  await work()
  const seconds = (performance.now() - begun) / 1000
  isOver = true
  await watching
  return { rise: highest - before, seconds, p50: median(calls), p99: percentile(calls, 0.99) }
}

async function run({ server, key, load }: Bench, order: Omit<Order, 'url' | 'key'>): Promise<string> {
  load.send({ url: server.url, key, ...order })
  const [id] = await once(load, 'message')
  return id
}

async function openBench(dataDir: string): Promise<Bench> {
  const server = await startServer({ DATA_DIR: dataDir })
  const db = connect(findPostgres(dataDir)!.connection, { max: 1 })
  const [project] = await listProjects(db)
  const { key } = await createKey(db, project!.id, 'Bench')
  await db.end()
  return { server, key, load: fork(new URL('load.ts', import.meta.url)) }
}

/** So that memory which the first requests take once is not counted as theirs. */
async function warmUp(bench: Bench): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    const id = await run(bench, { size: 20_000_000, count: 10, id: null })
    await run(bench, { size: 20_000_000, count: 10, id })
  }
}

async function measure(bench: Bench): Promise<boolean> {
  const size = largestFile
  const rows: string[][] = []
  let isKept = true
  const step = async (name: string, work: () => Promise<unknown>) => {
    const { rise, seconds, p50, p99 } = await watch(bench, work)
    rows.push([name, `+${rise.toFixed(0)} MB`, seconds.toFixed(1), p50.toFixed(1), p99.toFixed(1)])
    isKept &&= rise < (name.startsWith('ten') ? 64 : 50) && p99 < 100
  }
  let id = ''
  await step('nothing', () => sleep(5_000))
  await step('one up', async () => {
    id = await run(bench, { size, count: 1, id: null })
  })
  await step('one down', () => run(bench, { size, count: 1, id }))
  await step('ten up at once', () => run(bench, { size, count: 10, id: null }))
  await step('ten down at once', () => run(bench, { size, count: 10, id }))
  const head = ['200 MB', 'memory', 'seconds', 'p50 ms of other calls', 'p99 ms']
  process.stdout.write(`${printTable(head, rows)}\n`)
  return isKept
}

export async function files(): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'deskbell-bench-'))
  const bench = await openBench(dataDir)
  try {
    await warmUp(bench)
    return (await measure(bench)) ? 0 : 1
  } finally {
    bench.load.disconnect()
    await bench.server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
