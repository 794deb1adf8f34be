import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createVault } from '../src/core/crypto.ts'
import { connect, type Db } from '../src/core/db.ts'
import { newId } from '../src/core/ids.ts'
import { createLog } from '../src/core/log.ts'
import { migrate } from '../src/core/migrate.ts'
import { startPostgres } from '../src/core/postgres.ts'
import { setFanOut } from '../src/events/log.ts'
import { transact } from '../src/events/transaction.ts'
import { createProject } from '../src/projects/projects.ts'
import { startDelivering } from '../src/webhooks/deliver.ts'
import { fanOut } from '../src/webhooks/fanout.ts'
import { registerWebhook } from '../src/webhooks/webhooks.ts'

/**
 * Webhook delivery: `node bench/delivery.ts [seconds]`. This process writes the events and delivers them, as a server
 * does; the receiver is another process. Times run from the start of the write to the arrival of the request.
 */

type Arrival = [number: number, target: string, at: number]

const clock = () => performance.timeOrigin + performance.now()
const log = createLog('warn')
const vault = createVault(Buffer.alloc(32, 7))

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

const percentile = (sorted: number[], share: number): number =>
  Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN) * 10) / 10

interface Stage {
  db: Db
  receiver: ChildProcess
  url: string
}

async function collect({ receiver }: Stage): Promise<Arrival[]> {
  receiver.send('take')
  const [arrivals] = await once(receiver, 'message')
  return arrivals as Arrival[]
}

async function addProject({ db, url }: Stage, targets: string[]): Promise<string> {
  const { id } = await createProject(db, { name: 'Bench' })
  for (const target of targets) await registerWebhook(db, vault, id, { url: `${url}/${target}` })
  return id
}

const emit = (db: Db, projectId: string, number: number) =>
  transact(db, projectId, async tx => {
    tx.emit({ type: 'ticket.reopened', data: { ticket_id: newId(), status: String(number) } })
  })

/** Writes at a fixed rate whatever the answers do, and says when each write began. */
async function write({ db }: Stage, projects: string[], rate: number, seconds: number): Promise<number[]> {
  const starts: number[] = []
  const writes: Promise<void>[] = []
  const begin = clock()
  while (starts.length < rate * seconds) {
    const due = Math.min(((clock() - begin) / 1000) * rate, rate * seconds)
    while (starts.length < due) {
      starts.push(clock())
      writes.push(emit(db, projects[starts.length % projects.length]!, starts.length - 1))
    }
    await sleep(2)
  }
  await Promise.all(writes)
  return starts
}

async function measure(stage: Stage, projects: string[], rate: number, seconds: number, target = '') {
  const starts = await write(stage, projects, rate, seconds)
  const [age] = await stage.db<{ age: number }[]>`
    select coalesce(extract(epoch from clock_timestamp() - min(q.run_at)), 0)::float8 as age
    from webhook_queue q join webhooks w on w.id = q.webhook_id where w.url not like '%/hang' and q.attempts = 0`
  await sleep(1_500)
  const arrivals = (await collect(stage)).filter(([, path]) => path !== 'hang' && path.includes(target))
  const times = arrivals.map(([number, , at]) => at - starts[number]!).sort((a, b) => a - b)
  return {
    rate,
    sent: starts.length,
    arrived: times.length,
    p50_ms: percentile(times, 0.5),
    p99_ms: percentile(times, 0.99),
    max_ms: percentile(times, 1),
    backlog_age_s: Math.round((age?.age ?? 0) * 1000) / 1000,
  }
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

/** Half of the traffic goes to a target that never answers; the other target's times with it and without it. */
async function hanging(stage: Stage, seconds: number) {
  const project = await addProject(stage, ['b'])
  const other = await addProject(stage, ['c'])
  const alone = await measure(stage, [project, other], 200, seconds, 'b')
  await stage.db`update webhooks set url = ${`${stage.url}/hang`} where project_id = ${other}`
  const beside = await measure(stage, [project, other], 200, seconds, 'b')
  await stage.db`update webhooks set is_active = false where project_id = ${other}`
  const times = (part: typeof alone) => ({ arrived: part.arrived, p50_ms: part.p50_ms, p99_ms: part.p99_ms })
  return {
    alone: times(alone),
    beside: times(beside),
    p99_ratio: Math.round((beside.p99_ms / alone.p99_ms) * 100) / 100,
  }
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
    console.table({ alone: pair.alone, beside: pair.beside })
    console.log(`p99 beside a hanging target: ${pair.p99_ratio} of what it is alone`)
  } finally {
    await delivering.stop()
    receiver.disconnect()
    await close()
  }
}

if (process.argv[2] === 'receiver') runReceiver()
else await main(Number(process.argv[2] ?? 60))
