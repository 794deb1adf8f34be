import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { DatabaseTarget } from '../../src/core/db/db.ts'
import { administrate } from '../database.ts'
import { assertRefused } from './assert-refused.ts'
import { deskbell, makeDataDir, makeFolder, spawnServer, startServer, stopServer } from './program.ts'

test('refuses a database of another major version of PostgreSQL, says how to move it, and leaves it unchanged', async context => {
  const DATA_DIR = join(makeFolder(context), 'data')
  mkdirSync(join(DATA_DIR, 'postgres'), { recursive: true })
  writeFileSync(join(DATA_DIR, 'postgres/PG_VERSION'), '17\n')
  const outcome = await spawnServer(context, { DATA_DIR }).ended
  assertRefused(outcome, 'DATA_DIR', 78)
  assert.match(
    outcome.stderr,
    /PostgreSQL 17 made the database .* comes with PostgreSQL 18.*deskbell restore FILE/,
  )
  assert.deepEqual(readdirSync(join(DATA_DIR, 'postgres')), ['PG_VERSION'])
})

/** A database and a role without any rights in it, both deleted when the test ends. */
async function makeForeign(context: TestContext, options: string) {
  const server: DatabaseTarget = JSON.parse(process.env.DESKBELL_TEST_DATABASE!)
  const name = `foreign_${randomBytes(4).toString('hex')}`
  await administrate(server, `create role ${name} login`)
  await administrate(server, `create database ${name} ${options}`)
  context.after(async () => {
    await administrate(server, `drop database ${name} with (force)`)
    await administrate(server, `drop role ${name}`)
  })
  const urlOf = (user: string, database: string) =>
    `postgres://${user}@localhost/${database}?host=${server.host}&port=${server.port}`
  return { name, admin: server.user!, urlOf }
}

test('refuses a database that is missing, not in UTF-8 or closed to its role, and says what to do', async context => {
  const latin = await makeForeign(
    context,
    "encoding 'LATIN1' locale_provider libc locale 'C' template template0",
  )
  const refuse = async (DATABASE_URL: string) => {
    const outcome = await spawnServer(context, { DATA_DIR: makeFolder(context), DATABASE_URL }).ended
    assertRefused(outcome, 'DATABASE_URL', 1)
    return outcome.stderr
  }
  assert.match(
    await refuse(latin.urlOf(latin.admin, latin.name)),
    /LATIN1.*encoding 'UTF8' template template0/,
  )
  const settings = { DATA_DIR: makeFolder(context), DATABASE_URL: latin.urlOf(latin.admin, latin.name) }
  const doctor = await deskbell(settings, 'doctor')
  assert.deepEqual([doctor.status, doctor.stdout.match(/^FAIL +database .*LATIN1/gm)?.length], [1, 1])
  assert.match(await refuse(latin.urlOf(latin.admin, 'missing')), /"missing" does not exist; create it/)
  const closed = await makeForeign(context, "encoding 'UTF8' template template0")
  assert.match(await refuse(closed.urlOf(closed.name, closed.name)), /permission denied.*grant create/)
})

test('refuses to start with an unreachable DATABASE_URL, and names it without its password', async context => {
  const DATABASE_URL = 'postgres://someone:hunter2@127.0.0.1:1/desk'
  const outcome = await spawnServer(context, { DATA_DIR: makeFolder(context), DATABASE_URL }).ended
  assertRefused(outcome, 'DATABASE_URL', 1)
  assert.doesNotMatch(outcome.stderr, /hunter2/)
})

test("refuses to start with another secret key than the database's, and names SECRET_KEY", async context => {
  const DATA_DIR = makeDataDir(context)
  await stopServer(await startServer(context, { DATA_DIR }))
  assertRefused(await spawnServer(context, { DATA_DIR, SECRET_KEY: '0'.repeat(64) }).ended, 'SECRET_KEY')
})
