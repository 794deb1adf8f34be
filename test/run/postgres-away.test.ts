import assert from 'node:assert/strict'
import fs from 'node:fs'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../src/core/config/config.ts'
import { connect } from '../../src/core/db/db.ts'
import { openDatabase } from '../../src/core/db/postgres.ts'
import { createLog } from '../../src/core/telemetry/log.ts'
import { until } from '../until.ts'
import {
  deskbell,
  isAlive,
  makeDataDir,
  postmasterOf,
  socketDirOf,
  startServer,
  statusOf,
  stopServer,
} from './program.ts'

test('stays alive without Postgres, reports it, and is ready again once Postgres is back', async context => {
  const DATA_DIR = makeDataDir(context)
  const server = await startServer(context, { DATA_DIR, LOG_LEVEL: 'silent' })
  // It cannot start Postgres again before it has been asked.
  server.child.kill('SIGSTOP')
  const early = statusOf(`${server.url}/readyz`)
  const first = postmasterOf(DATA_DIR)
  process.kill(first, 'SIGKILL')
  await until(() => !isAlive(first))
  server.child.kill('SIGCONT')
  await until(async () => [await early, await statusOf(`${server.url}/readyz`)].includes(503))
  assert.equal(await statusOf(`${server.url}/healthz`), 200)
  await until(async () => (await statusOf(`${server.url}/readyz`)) === 200)
  assert.equal((await deskbell({ DATA_DIR }, 'project', 'list')).status, 0)
  assert.equal((await stopServer(server)).status, 0)
})

test('leaves the database to a command that opened it during the pause, and reopens it afterwards', async context => {
  const DATA_DIR = makeDataDir(context)
  const server = await startServer(context, { DATA_DIR, LOG_LEVEL: 'silent' })
  const first = postmasterOf(DATA_DIR)
  // It does not start Postgres again before the command has opened the database.
  server.child.kill('SIGSTOP')
  process.kill(first, 'SIGKILL')
  await until(() => !isAlive(first))
  const config = { dataDir: DATA_DIR, databaseUrl: null } as unknown as Config
  const { target, close } = await openDatabase(config, createLog('silent'), 'beside')
  const own = postmasterOf(DATA_DIR)
  server.child.kill('SIGCONT')
  await sleep(2_500)
  assert.equal(postmasterOf(DATA_DIR), own)
  const db = connect(target, { max: 1 })
  assert.equal((await db`select 1 as one`)[0]?.one, 1)
  await db.end()
  await close()
  await until(async () => (await statusOf(`${server.url}/readyz`)) === 200)
  assert.equal((await stopServer(server)).status, 0)
})

test('does not use a socket folder that was replaced while Postgres was down', async context => {
  const DATA_DIR = makeDataDir(context)
  const server = await startServer(context, { DATA_DIR, LOG_LEVEL: 'error' })
  const sockets = socketDirOf(DATA_DIR)
  const first = postmasterOf(DATA_DIR)
  // It does not start Postgres again before the folder is replaced.
  server.child.kill('SIGSTOP')
  process.kill(first, 'SIGINT')
  await until(() => !isAlive(first))
  const said = () => server.stdout + server.stderr
  assert.ok(fs.existsSync(sockets))
  fs.renameSync(sockets, `${sockets}.old`)
  context.after(() => fs.rmSync(`${sockets}.old`, { recursive: true, force: true }))
  fs.mkdirSync(sockets, { mode: 0o755 })
  server.child.kill('SIGCONT')
  await until(() => said().includes('The embedded Postgres ended unexpectedly'))
  await until(() => said().includes(`${sockets} of the database's socket no longer belongs`))
  fs.rmSync(sockets, { recursive: true })
  await until(async () => (await statusOf(`${server.url}/readyz`)) === 200)
  assert.equal((await stopServer(server)).status, 0)
  assert.equal(fs.existsSync(sockets), false)
})
