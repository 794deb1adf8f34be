import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../src/core/config.ts'
import { connect, type Target } from '../src/core/db.ts'
import { createLog } from '../src/core/log.ts'
import { migrate } from '../src/core/migrate.ts'
import { startPostgres } from '../src/core/postgres.ts'
import { administrate, templateName } from './database.ts'

/** `npm test [-- file …]`: one Postgres for the whole run, a database of its own for every test that wants one. */

// Nothing here must outlive a power failure.
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }
const log = createLog('warn')

async function createTemplate(server: Target): Promise<void> {
  await administrate(server, `create database ${templateName}`)
  const db = connect({ ...server, database: templateName }, { max: 1 })
  await migrate(db, log)
  await db.end()
}

let tests: ChildProcess | null = null

async function runTests(server: Target): Promise<number> {
  const given = process.argv.slice(2)
  const hasFiles = given.some(word => !word.startsWith('-'))
  const files = hasFiles ? [] : globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root }).sort()
  const environment = { ...process.env, DESKBELL_TEST_DATABASE: JSON.stringify(server) }
  const args = ['--test', '--test-concurrency=2', '--test-timeout=300000', ...given, ...files]
  tests = spawn(process.execPath, args, { cwd: root, env: environment, stdio: 'inherit' })
  const [status] = await once(tests, 'exit')
  return status ?? 1
}

const folder = mkdtempSync(join(tmpdir(), 'deskbell test '))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => (tests ? tests.kill(signal) : process.exit(1)))
}
const postgres = await startPostgres(folder, log, settings)
try {
  await createTemplate(postgres.connection)
  process.exitCode = await runTests(postgres.connection)
} finally {
  await postgres.stop()
}
