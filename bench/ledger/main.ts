import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Db } from '../../src/core/db/db.ts'
import { findPostgres } from '../../src/core/db/postgres.ts'
import { freePort } from '../../test/free-port.ts'
import { openDataDir } from '../data.ts'
import { makeRandom } from '../seed/words.ts'
import { type Server, startServer } from '../server.ts'
import { type Ledger, openLedger, work } from './clients.ts'
import { compare } from './compare.ts'
import { drain } from './drain.ts'
import { printVerdict } from './print.ts'
import { makeProjects } from './projects.ts'
import { type ReceiverProcess, startReceiver } from './target.ts'

const options = {
  events: { type: 'string', default: '5000' },
  seed: { type: 'string' },
  projects: { type: 'string', default: '4' },
  'postgres-kills': { type: 'string', default: '0' },
  keep: { type: 'boolean', default: false },
} as const

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

interface Stage {
  dataDir: string
  settings: Record<string, string>
  random: () => number
  server: Server
  kills: { server: number; postgres: number }
  /** How often the server ended without being killed. */
  collapses: number
}

async function withDb<T>({ dataDir }: Stage, act: (db: Db) => Promise<T>): Promise<T> {
  const { db, close } = await openDataDir(dataDir)
  return act(db).finally(close)
}

/** Kills the server, its Postgres or both with SIGKILL, and starts it again. */
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

async function run(stage: Stage, receiver: ReceiverProcess, seed: number, values: Values) {
  const begun = performance.now()
  const { url } = stage.server
  const projects = await withDb(stage, db => makeProjects(db, url, receiver.port, Number(values.projects)))
  const ledger = openLedger()
  const workers = projects.flatMap(({ keys, projectId }, n) =>
    [...keys, ...keys].map((key, k) => work({ url, key, projectId, ledger, seed: seed + 100 * n + k })),
  )
  await disturb(stage, ledger, Number(values.events), Number(values['postgres-kills']))
  await Promise.all(workers)
  const left = await withDb(stage, drain)
  const verdict = await withDb(stage, async db => compare(db, ledger, projects, await receiver.take()))
  const { kills, collapses } = stage
  const counts = {
    kills_of_the_server: kills.server,
    kills_of_postgres: kills.postgres,
    collapses_of_the_server: collapses,
    left_in_queue: left,
  }
  const isKept = printVerdict(verdict, counts) && left === 0
  const seconds = Math.round((performance.now() - begun) / 1000)
  console.log(`seed ${seed}, ${seconds} s: ${isKept ? 'nothing lost or invented' : 'NOT KEPT'}`)
  return isKept
}

/** Checks that exactly the acknowledged events are delivered after many kills. */
export async function ledger(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  const dataDir = mkdtempSync(join(tmpdir(), 'deskbell-bench-'))
  const settings = {
    ...{ DATA_DIR: dataDir, PORT: String(await freePort()), LOG_LEVEL: 'fatal' },
    ...{ WEBHOOK_RETRY_DELAYS: '1s,2s,3s,4s,5s', WEBHOOK_TIMEOUT: '5s' },
  }
  const receiver = await startReceiver({ faults: 0.01, seed })
  const server = await startServer(settings)
  const kills = { server: 0, postgres: 0 }
  const stage = { dataDir, settings, random: makeRandom(seed), server, kills, collapses: 0 }
  try {
    return (await run(stage, receiver, seed, values)) ? 0 : 1
  } finally {
    receiver.close()
    await stage.server.stop()
    if (!values.keep) rmSync(dataDir, { recursive: true, force: true })
  }
}
