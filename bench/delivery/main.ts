import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { connect } from '../../src/core/db/db.ts'
import { migrate } from '../../src/core/db/migrate.ts'
import { startPostgres } from '../../src/core/db/postgres.ts'
import { addressRuleOf } from '../../src/core/http/address.ts'
import { createLog } from '../../src/core/telemetry/log.ts'
import { withHooks } from '../../src/events/log.ts'
import { createDispatcher } from '../../src/webhooks/dispatch.ts'
import { createResolver } from '../../src/webhooks/resolve.ts'
import { createSender } from '../../src/webhooks/send.ts'
import { startDelivering } from '../../src/webhooks/worker.ts'
import { ask, endWithUs } from '../children.ts'
import { type Case, cases } from './cases.ts'
import { addProject, measure, type Stage, vault } from './measure.ts'
import type { Places } from './receiver.ts'

const options = {
  seconds: { type: 'string', default: '60' },
  only: { type: 'string', default: Object.keys(cases).join() },
} as const

const log = createLog('warn')

/** Starts a separate Postgres with its usual durability. */
async function openDatabase() {
  const folder = mkdtempSync(join(tmpdir(), 'deskbell-bench-'))
  const postgres = await startPostgres(folder, log)
  const dispatcher = createDispatcher()
  const db = withHooks(connect(postgres.connection, { max: 20 }), { fanOut: dispatcher.fanOut })
  // Deliveries use a separate pool, because claims would wait behind the writes of a busy one.
  const own = connect(postgres.connection, { max: 4 })
  await migrate(db, log)
  const close = async () => {
    await Promise.all([db.end({ timeout: 1 }), own.end({ timeout: 1 })])
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { db, own, dispatcher, close }
}

const config = {
  webhookRetryDelays: [30_000, 120_000, 600_000, 3_600_000, 21_600_000],
  webhookTimeout: 10_000,
  webhookAllowedCidrs: [],
  publicUrl: 'http://localhost',
}

/** A sender like the server's, except that its DNS server does not respond. */
const openSender = ({ names }: Places) =>
  createSender({
    addressRule: addressRuleOf(config),
    timeout: config.webhookTimeout,
    resolve: createResolver({ servers: [`127.0.0.1:${names}`] }).resolve,
  })

async function runAll(stage: Stage, chosen: Case[], seconds: number): Promise<boolean> {
  await measure(stage, [await addProject(stage, ['warm'])], 100, 2)
  let isKept = true
  for (const run of chosen) isKept = (await run(stage, seconds)) && isKept
  return isKept
}

function choose(only: string): Case[] {
  return only.split(',').map(name => {
    const run = cases[name]
    if (!run) throw new Error(`--only: ${name} is none of ${Object.keys(cases)}`)
    return run
  })
}

/**
 * Webhook delivery. This process writes the events and delivers them like a server. The receiver is another process.
 * Times are measured from the commit of the write to the arrival of the request.
 */
export async function delivery(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const chosen = choose(values.only)
  const { db, own, dispatcher, close } = await openDatabase()
  const receiver = fork(join(import.meta.dirname, 'receiver.ts'))
  endWithUs(receiver)
  const places = await ask<Places>(receiver, 'open')
  const sender = openSender(places)
  const delivering = startDelivering({ config, db: own, log, vault, sender, dispatcher })
  try {
    return (await runAll({ db, receiver, places }, chosen, Number(values.seconds))) ? 0 : 1
  } finally {
    await delivering.stop()
    receiver.disconnect()
    await close()
  }
}
