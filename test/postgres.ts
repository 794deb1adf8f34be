import type { Target } from '../src/core/db.ts'
import { connect } from '../src/core/db.ts'
import { createLog } from '../src/core/log.ts'
import { migrate } from '../src/core/migrate.ts'
import { startPostgres } from '../src/core/postgres.ts'
import { administrate, templateName } from './database.ts'

// Nothing here must outlive a power failure.
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }
const log = createLog('warn')

async function createTemplate(server: Target): Promise<void> {
  await administrate(server, `create database ${templateName}`)
  const db = connect({ ...server, database: templateName }, { max: 1 })
  await migrate(db, log)
  await db.end()
}

/** One Postgres for a whole run of tests: what the tests need to know of it, in their environment. */
export async function startTestPostgres(folder: string) {
  const { connection, stop } = await startPostgres(folder, log, settings)
  await createTemplate(connection)
  return { environment: { ...process.env, DESKBELL_TEST_DATABASE: JSON.stringify(connection) }, stop }
}
