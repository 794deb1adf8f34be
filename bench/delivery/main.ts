import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../../src/core/db.ts'
import { createLog } from '../../src/core/log.ts'
import { migrate } from '../../src/core/migrate.ts'
import { startPostgres } from '../../src/core/postgres.ts'
import { setFanOut } from '../../src/events/log.ts'
import { startDelivering } from '../../src/webhooks/deliver.ts'
import { fanOut } from '../../src/webhooks/fanout.ts'
import { hanging, rounds } from './hanging.ts'
import { type Arrival, addProject, clock, measure, type Stage, vault } from './measure.ts'

/**
 * Webhook delivery: `bin/bench delivery [seconds]`. This process writes the events and delivers them, as a server
 * does; the receiver is another process. Times run from the start of the write to the arrival of the request.
 */

const log = createLog('warn')

function runReceiver(): void {
  const arrivals: Arrival[] = []
  const server = http.createServer(async (request, response) => {
    const at = clock()
    const body = Buffer.concat(await request.toArray()).toString()
    arrivals.push([Number(/"status":"(\d+)"/.exec(body)?.[1]), request.url!.slice(1), at])
    if (request.url !== '/hang') response.end()
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
  process.on('message', () => process.send!(arrivals.splice(0)))
  process.on('disconnect', () => process.exit())
}

async function latency(stage: Stage, seconds: number) {
  return measure(stage, [await addProject(stage, ['a'])], 200, seconds)
}

async function sustained(stage: Stage, seconds: number) {
  const projects = await Promise.all(Array.from({ length: 10 }, (_, n) => addProject(stage, [`s${n}`])))
  return measure(stage, projects, 800, seconds)
}

async function fan(stage: Stage) {
  const targets = Array.from({ length: 100 }, (_, n) => `f${n}`)
  return measure(stage, [await addProject(stage, targets)], 1, 1)
}

/** A Postgres of its own, with its usual durability. */
async function openDatabase() {
  const folder = mkdtempSync(join(tmpdir(), 'deskbell-bench-'))
  const postgres = await startPostgres(folder, log)
  const db = connect(postgres.connection, { max: 20 })
  // Deliveries have connections of their own: behind the writes of a busy pool a claim would wait its turn.
  const own = connect(postgres.connection, { max: 4 })
  await migrate(db, log)
  const close = async () => {
    await Promise.all([db.end({ timeout: 1 }), own.end({ timeout: 1 })])
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { db, own, close }
}

const config = {
  webhookRetryDelays: [30_000, 120_000, 600_000, 3_600_000, 21_600_000],
  webhookTimeout: 10_000,
  webhookAllowedCidrs: [],
  publicUrl: 'http://localhost',
}

async function runAll(stage: Stage, seconds: number) {
  await measure(stage, [await addProject(stage, ['warm'])], 100, 2)
  return {
    latency: await latency(stage, seconds / 2),
    fan_out: await fan(stage),
    hanging: await hanging(stage, seconds / 2),
    sustained: await sustained(stage, seconds),
  }
}

async function main(seconds: number): Promise<void> {
  const { db, own, close } = await openDatabase()
  const receiver = fork(import.meta.filename, ['receiver'])
  const [port] = await once(receiver, 'message')
  setFanOut(fanOut)
  const delivering = startDelivering({ config, db: own, log, vault })
  try {
    const results = await runAll({ db, receiver, url: `http://127.0.0.1:${port}` }, seconds)
    console.log(JSON.stringify(results))
    const { hanging: pair, ...rest } = results
    console.table(rest)
    console.table(pair.turns)
    console.log(
      `p99 beside a hanging target: ${pair.p99_ratio} of what it is alone, median of ${rounds} turns`,
    )
  } finally {
    await delivering.stop()
    receiver.disconnect()
    await close()
  }
}

if (process.argv[2] === 'receiver') runReceiver()
else await main(Number(process.argv[2] ?? 60))
