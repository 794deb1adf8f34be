import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '../src/core/db/db.ts'
import { migrate } from '../src/core/db/migrate.ts'
import { startPostgres } from '../src/core/db/postgres.ts'
import { createLog } from '../src/core/telemetry/log.ts'
import { administrate, templateName } from './database.ts'

// The data of a test run need not survive a power failure.
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }
const log = createLog('warn')

/**
 * An installation with a migrated database that has not been started yet. This is the only initdb of the run.
 */
async function makeInstallation(folder: string): Promise<string> {
  const installation = join(folder, 'installation')
  const { connection, stop } = await startPostgres(installation, log, { fsync: 'off' })
  const db = connect(connection, { max: 1 })
  await migrate(db, log)
  await db.end()
  await stop()
  // A first start has no log yet.
  rmSync(join(installation, 'postgres.log'), { force: true })
  return installation
}

/** Starts one Postgres for a whole test run, and returns the environment that tells the tests about it. */
export async function startTestPostgres(folder: string) {
  const installation = await makeInstallation(folder)
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  spawnSync('cp', ['-a', join(installation, 'postgres'), dataDir])
  const { connection, stop } = await startPostgres(dataDir, log, settings)
  await administrate(connection, `create database ${templateName} template ${connection.database}`)
  const environment = {
    ...process.env,
    DESKBELL_TEST_DATABASE: JSON.stringify(connection),
    DESKBELL_TEST_INSTALLATION: installation,
  }
  return { environment, stop }
}
