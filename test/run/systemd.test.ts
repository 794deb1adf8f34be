import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { root, searchPath } from '../../src/core/config/config.ts'
import type { DatabaseTarget } from '../../src/core/db/db.ts'
import { addressOf, administrate, createDatabase, type TestDatabase } from '../database.ts'
import { openFileContext } from '../file-context.ts'
import { until } from '../until.ts'
import { makeFolder, type Program, run, startServer, statusOf, stopServer } from './program.ts'

/** Replaces systemd-notify, and writes into a file instead of a socket. */
const systemdNotify = '#!/bin/sh\nprintf "%s\\n" "$@" >> "$NOTIFY_SOCKET"\n'

/** Milliseconds between two watchdog signals. */
const interval = 300

const context = openFileContext()
let database: TestDatabase
let folder: string
let server: Program
let settings: { DATA_DIR: string; DATABASE_URL: string }

/** The notifications of this state that systemd received. */
const notificationsOf = (state: string): string[] =>
  readFileSync(join(folder, 'notifications'), 'utf8')
    .split('\n')
    .filter(line => line === state)

const readiness = () => statusOf(`${server.url}/readyz`)

before(async () => {
  folder = makeFolder(context)
  database = await createDatabase({ max: 1 })
  context.after(database.drop)
  settings = { DATA_DIR: join(folder, 'data'), DATABASE_URL: addressOf(database.target) }
  writeFileSync(join(folder, 'systemd-notify'), systemdNotify, { mode: 0o755 })
  const manager = {
    NOTIFY_SOCKET: join(folder, 'notifications'),
    WATCHDOG_USEC: String(3 * interval * 1_000),
    PATH: `${folder}${delimiter}${searchPath}`,
  }
  server = await startServer(context, { ...settings, ...manager, LOG_LEVEL: 'silent' })
})

async function letIn(isAllowed: boolean): Promise<void> {
  const place: DatabaseTarget = JSON.parse(process.env.DESKBELL_TEST_DATABASE!)
  const name = database.target.database!
  await administrate(place, `alter database ${name} allow_connections ${isAllowed}`)
  await administrate(
    place,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  )
}

test('sends systemd READY=1 once it can serve requests, and WATCHDOG=1 only while the database responds', async () => {
  assert.equal(await readiness(), 200)
  await until(() => existsSync(join(folder, 'notifications')) && notificationsOf('WATCHDOG=1').length > 1)
  assert.equal(readFileSync(join(folder, 'notifications'), 'utf8').split('\n')[0], 'READY=1')
  await letIn(false)
  await until(async () => (await readiness()) === 503)
  const signs = await until(async () => {
    const before = notificationsOf('WATCHDOG=1').length
    await sleep(3 * interval)
    return notificationsOf('WATCHDOG=1').length === before && before
  })
  await letIn(true)
  await until(() => notificationsOf('WATCHDOG=1').length > signs)
  assert.deepEqual([notificationsOf('READY=1').length, notificationsOf('STOPPING=1').length], [1, 0])
})

const backUp = (words: string[], more = {}) =>
  run(join(root, 'bin/backup'), words, { ...settings, ...more }).ended

test('bin/backup keeps the newest backups and all other files, and removes none when the backup fails', async () => {
  const backups = join(folder, 'backups')
  mkdirSync(backups)
  const old = [1, 2, 3].map(month => `deskbell-20260${month}01T030000Z.zip`)
  for (const name of [...old, 'before-the-upgrade.zip']) writeFileSync(join(backups, name), '')
  assert.equal((await backUp([backups, '2'], { PORT: 'none' })).status, 1)
  assert.deepEqual(readdirSync(backups).sort(), ['before-the-upgrade.zip', ...old])
  const { status, stderr } = await backUp([backups, '2'])
  assert.equal(status, 0, stderr)
  const [foreign, kept, made, ...more] = readdirSync(backups).sort()
  assert.deepEqual([foreign, kept, more], ['before-the-upgrade.zip', old[2], []])
  assert.match(made!, /^deskbell-\d{8}T\d{6}Z\.zip$/)
  const { size, mode } = statSync(join(backups, made!))
  assert.ok(size > 0 && (mode & 0o777) === 0o600)
})

test('bin/backup explains its arguments if the folder is missing or the number is invalid', async () => {
  for (const words of [[], [join(folder, 'missing')], [folder, '0'], [folder, 'all']]) {
    const { status, stderr } = await backUp(words)
    assert.equal(status, 2)
    assert.match(stderr, /^Name an existing folder/m)
  }
})

test('sends systemd STOPPING=1 before a stop ends', async () => {
  assert.equal((await stopServer(server)).status, 0)
  assert.equal(notificationsOf('STOPPING=1').length, 1)
})
