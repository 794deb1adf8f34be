import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Db } from '../../src/core/db.ts'
import { findPostgres } from '../../src/core/postgres.ts'
import { createKey } from '../../src/keys/keys.ts'
import { createProject } from '../../src/projects/projects.ts'
import { openCaller } from '../calls.ts'
import { openDataDir } from '../data.ts'
import { printTable } from '../figures.ts'
import { makeRandom } from '../seed/words.ts'
import { type Server, startServer } from '../server.ts'
import { type Ledger, openLedger, work } from './clients.ts'
import { compare, type Subscribed, type Verdict } from './compare.ts'
import type { Arrival } from './receiver.ts'

const options = {
  events: { type: 'string', default: '5000' },
  seed: { type: 'string' },
  projects: { type: 'string', default: '4' },
  'postgres-kills': { type: 'string', default: '0' },
  keep: { type: 'boolean', default: false },
} as const

interface Stage {
  dataDir: string
  settings: Record<string, string>
  random: () => number
  server: Server
  kills: { server: number; postgres: number }
  /** Times that the server ended although nobody killed it. */
  collapses: number
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await once(probe.listen(0, '127.0.0.1'), 'listening')
  const { port } = probe.address() as { port: number }
  await once(probe.close(), 'close')
  return port
}

async function withDb<T>({ dataDir }: Stage, act: (db: Db) => Promise<T>): Promise<T> {
  const { db, close } = await openDataDir(dataDir)
  return act(db).finally(close)
}

interface Project extends Subscribed {
  keys: string[]
}

/** Two subscriptions and two keys for each project. */
async function makeProjects(stage: Stage, count: number, receiver: number): Promise<Project[]> {
  const projects: Project[] = []
  for (let n = 0; n < count; n++) {
    const made = await withDb(stage, async db => {
      const { id } = await createProject(db, { name: `Project ${n}` })
      const keys = [await createKey(db, id, 'one'), await createKey(db, id, 'two')]
      return { projectId: id, keys: keys.map(({ key }) => key) }
    })
    const caller = openCaller(stage.server.url, made.keys[0]!)
    const targets = [`${n}-a`, `${n}-b`]
    for (const target of targets) {
      const { status } = await caller.call('POST', '/webhooks', {
        url: `http://127.0.0.1:${receiver}/${target}`,
      })
      if (status >= 300) throw new Error(`POST /webhooks: ${status}`)
    }
    caller.close()
    projects.push({ ...made, targets })
  }
  return projects
}

/** Kills the server with SIGKILL, now and then its Postgres in its place or with it, and starts it again. */
async function kill(stage: Stage, postgresShare: number): Promise<void> {
  const postgres = findPostgres(stage.dataDir)?.pid
  if (postgres && stage.random() < postgresShare) {
    process.kill(postgres, 'SIGKILL')
    stage.kills.postgres++
    if (stage.random() < 0.5) return
  }
  const { child } = stage.server
  if (child.kill('SIGKILL')) {
    await once(child, 'exit')
    stage.kills.server++
  } else stage.collapses++
  stage.server = await startServer(stage.settings)
}

async function disturb(stage: Stage, ledger: Ledger, events: number, postgresShare: number): Promise<void> {
  const isOver = () => ledger.acknowledged.length >= events || ledger.odd.length > 100
  while (!isOver()) {
    await sleep(1_000 + stage.random() * 4_000)
    if (!isOver()) await kill(stage, postgresShare)
    if (process.stderr.isTTY)
      process.stderr.write(`\r${ledger.acknowledged.length} events, ${stage.kills.server} kills`)
  }
  ledger.isOver = true
}

/** Waits until nothing is left to be delivered; what is still due after the last retry's time is a loss. */
async function drain(stage: Stage): Promise<number> {
  const deadline = Date.now() + 120_000
  return withDb(stage, async db => {
    for (;;) {
      const [row] = await db<{ left: number }[]>`select count(*)::int as left from webhook_queue`
      if (row!.left === 0 || Date.now() > deadline) return row!.left
      await sleep(250)
    }
  })
}

async function collect(receiver: ChildProcess): Promise<Arrival[]> {
  const all: Arrival[] = []
  for (;;) {
    receiver.send({ take: true })
    const [some] = (await once(receiver, 'message')) as [Arrival[]]
    if (some.length === 0) return all
    all.push(...some)
  }
}

function report(verdict: Verdict, stage: Stage, seed: number, seconds: number, left: number): boolean {
  const { faults, ...counts } = verdict
  const rows = {
    ...counts,
    kills_of_the_server: stage.kills.server,
    kills_of_postgres: stage.kills.postgres,
    collapses_of_the_server: stage.collapses,
    left_in_queue: left,
  }
  console.log(printTable(['ledger', ''], Object.entries(rows)))
  for (const [name, list] of Object.entries(faults))
    console.log(`${name}: ${list.length}${list.length ? `, such as ${list.slice(0, 3).join('; ')}` : ''}`)
  const isKept = left === 0 && Object.values(faults).every(list => list.length === 0)
  console.log(
    `seed ${seed}, ${Math.round(seconds)} s: ${isKept ? 'nothing lost, nothing made up' : 'NOT KEPT'}`,
  )
  return isKept
}

async function run(stage: Stage, receiver: ChildProcess, seed: number, values: { [key: string]: unknown }) {
  const begun = performance.now()
  const projects = await makeProjects(stage, Number(values.projects), Number(values.receiver))
  const ledger = openLedger()
  const workers = projects.flatMap(({ keys, projectId }, n) =>
    [...keys, ...keys].map((key, k) => work(stage.server.url, key, projectId, ledger, seed + 100 * n + k)),
  )
  await disturb(stage, ledger, Number(values.events), Number(values['postgres-kills']))
  await Promise.all(workers)
  const left = await drain(stage)
  const verdict = await withDb(stage, async db => compare(db, ledger, projects, await collect(receiver)))
  return report(verdict, stage, seed, (performance.now() - begun) / 1000, left)
}

/** Events under fire: what was acknowledged is delivered, and nothing else is. */
export async function ledger(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  const dataDir = mkdtempSync(join(tmpdir(), 'deskbell-bench-'))
  const settings = {
    ...{ DATA_DIR: dataDir, PORT: String(await freePort()), LOG_LEVEL: 'fatal' },
    ...{ WEBHOOK_RETRY_DELAYS: '1s,2s,3s,4s,5s', WEBHOOK_TIMEOUT: '5s' },
  }
  const receiver = fork(join(import.meta.dirname, 'receiver.ts'))
  receiver.send({ faults: 0.01, seed })
  const [port] = (await once(receiver, 'message')) as [number]
  const server = await startServer(settings)
  const stage = {
    dataDir,
    settings,
    random: makeRandom(seed),
    server,
    kills: { server: 0, postgres: 0 },
    collapses: 0,
  }
  try {
    return (await run(stage, receiver, seed, { ...values, receiver: port })) ? 0 : 1
  } finally {
    receiver.disconnect()
    await stage.server.stop()
    if (!values.keep) rmSync(dataDir, { recursive: true, force: true })
  }
}
