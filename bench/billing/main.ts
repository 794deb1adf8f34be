import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { connect, type Db } from '../../src/core/db/db.ts'
import { migrate } from '../../src/core/db/migrate.ts'
import { startPostgres } from '../../src/core/db/postgres.ts'
import { createLog } from '../../src/core/telemetry/log.ts'
import { withHooks } from '../../src/events/log.ts'
import { createDispatcher } from '../../src/webhooks/dispatch.ts'
import { putModelPlans, runHistories } from '../../test/billing/run-histories.ts'

/** Compares random histories of plans and payments with the model in test/billing/world.ts, on a separate Postgres. */

type Server = Awaited<ReturnType<typeof startPostgres>>

const log = createLog('warn')

/** Each worker has its own database, because the price list applies to the whole installation. */
async function work({ connection }: Server, at: number, runs: number, seed: number): Promise<void> {
  const server = connect(connection, { max: 1 })
  await server.unsafe(`create database worker_${at}`)
  await server.end()
  const db: Db = withHooks(connect({ ...connection, database: `worker_${at}` }, { max: 3 }), {
    fanOut: createDispatcher().fanOut,
  })
  try {
    await migrate(db, log)
    await putModelPlans(db)
    await runHistories(db, runs, seed + at)
  } finally {
    await db.end()
  }
}

export async function billing(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      histories: { type: 'string', default: '10000' },
      workers: { type: 'string', default: '3' },
      seed: { type: 'string', default: '1' },
    },
  })
  const [histories, workers, seed] = [values.histories, values.workers, values.seed].map(Number) as [
    number,
    number,
    number,
  ]
  const folder = mkdtempSync(join(tmpdir(), 'deskbell billing '))
  const postgres = await startPostgres(folder, log, { fsync: 'off', synchronous_commit: 'off' })
  const begun = Date.now()
  try {
    const share = Math.ceil(histories / workers)
    await Promise.all(Array.from({ length: workers }, (_, at) => work(postgres, at, share, seed)))
    const seconds = ((Date.now() - begun) / 1000).toFixed(0)
    process.stdout.write(`${share * workers} histories, none differs from the model (${seconds} s)\n`)
    return 0
  } catch (error) {
    process.stdout.write(`${(error as Error).message}\n`)
    return 1
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
