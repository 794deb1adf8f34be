import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../../src/core/config/config.ts'
import { addressOf, createDatabase } from '../database.ts'
import { freePort } from '../free-port.ts'
import { needs } from '../needs.ts'
import { until } from '../until.ts'
import {
  makeDataDir,
  makeFolder,
  postmasterOf,
  run,
  spawnServer,
  startServer,
  statusOf,
  stopServer,
  untilReady,
} from './program.ts'

const SCHED_BATCH = 3

/**
 * The scheduling policy of a process: see proc(5), field 41. Null if it has ended, as some children of
 * Postgres soon do.
 */
function policyOf(pid: number | string): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[38])
  } catch {
    return null
  }
}

test('runs Postgres and its children under SCHED_BATCH', needs('chrt'), async context => {
  const DATA_DIR = makeDataDir(context)
  await startServer(context, { DATA_DIR })
  const postmaster = postmasterOf(DATA_DIR)
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ')
  const policies = [postmaster, ...children].map(policyOf).filter(policy => policy !== null)
  assert.ok(policies.length > 2)
  assert.deepEqual([...new Set(policies)], [SCHED_BATCH])
})

test('says how to create a sign-in link if there is no account yet', async context => {
  const DATA_DIR = makeDataDir(context)
  await stopServer(await startServer(context, { DATA_DIR }))
  const second = await startServer(context, { DATA_DIR })
  assert.match(second.stdout, /Nobody can sign in yet. Create a link: bin\/deskbell operator link/)
  await stopServer(second)
})

test('healthz answers 200 as soon as the process runs, readyz 503 until it can serve requests', async context => {
  const { db, target, drop } = await createDatabase()
  context.after(drop)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const settings = { DATA_DIR: makeFolder(context), DATABASE_URL: addressOf(target), PORT: String(port) }
  const server = await db.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    // The start does not end before it can read this table.
    await tx`lock table schema_migrations in access exclusive mode`
    const started = spawnServer(context, settings)
    await until(async () => (await statusOf(`${url}/healthz`)) === 200)
    assert.equal(await statusOf(`${url}/readyz`), 503)
    return started
  })
  await untilReady(server)
  assert.equal(await statusOf(`${url}/readyz`), 200)
  await stopServer(server)
})

const isRoot = process.getuid?.() === 0

test('root can start a checkout in a folder closed to other users (runs only as root)', {
  skip: !isRoot,
}, async context => {
  const checkout = join(makeFolder(context), 'desk bell')
  mkdirSync(checkout)
  for (const name of ['src', 'vendor', 'migrations', 'package.json'])
    cpSync(join(root, name), join(checkout, name), { recursive: true })
  copyModules(checkout)
  const server = run(process.execPath, [join(checkout, 'src/main.ts')], {}, checkout)
  context.after(() => void server.child.kill('SIGKILL'))
  await untilReady(server)
  assert.ok(existsSync(join(checkout, 'data/postgres/postmaster.pid')))
  assert.equal((await stopServer(server)).status, 0)
})

/** Copies the modules that a server needs to run. */
function copyModules(checkout: string): void {
  cpSync(join(root, 'node_modules'), join(checkout, 'node_modules'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: path =>
      !/node_modules\/(node-|@biomejs|@heroicons|@mantine|@rolldown|@tanstack|@typescript|lightningcss|playwright|react|typescript|vite|\.cache)/.test(
        path.slice(root.length),
      ),
  })
}
