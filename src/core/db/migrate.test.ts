import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createDatabase } from '../../../test/database.ts'
import { SetupError } from '../config/setup-error.ts'
import { createLog } from '../telemetry/log.ts'
import { connect, type Db } from './db.ts'
import { migrate, pendingMigrations } from './migrate.ts'

const log = createLog('silent')

/** Creates an empty database without migrations, and a folder for migrations. */
async function makePlace(context: TestContext) {
  const { db, target, drop } = await createDatabase({ max: 2 })
  await db`drop table schema_migrations`
  const folder = mkdtempSync(join(tmpdir(), 'deskbell-migrations-'))
  context.after(async () => {
    rmSync(folder, { recursive: true })
    await drop()
  })
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write('0001_first.sql', 'create table one (n int); insert into one values (1);')
  write('0002_second.sql', 'insert into one values (2);')
  return { db, target, folder, write }
}

const numbers = async (db: Db) => (await db<{ n: number }[]>`select n from one order by n`).map(row => row.n)

test('migrations are applied once, in order, by any number of concurrent processes', async context => {
  const { db, target, folder } = await makePlace(context)
  const pools = Array.from({ length: 5 }, () => connect(target, { max: 1 }))
  await Promise.all(pools.map(pool => migrate(pool, log, folder)))
  await Promise.all(pools.map(pool => pool.end()))
  assert.deepEqual(await numbers(db), [1, 2])
  assert.deepEqual(await pendingMigrations(db, folder), [])
})

test("several processes that start together build a migration's index only once, outside a transaction", async context => {
  const { db, target, folder, write } = await makePlace(context)
  write('0003_index.sql', 'create index concurrently one_n on one (n);')
  write('0004_fourth.sql', 'insert into one values (4);')
  const pools = Array.from({ length: 5 }, () => connect(target, { max: 1 }))
  await Promise.all(pools.map(pool => migrate(pool, log, folder)))
  await Promise.all(pools.map(pool => pool.end()))
  const [index] = await db`select indisvalid from pg_index where indexrelid = to_regclass('one_n')`
  assert.equal(index?.indisvalid, true)
  assert.deepEqual(await numbers(db), [1, 2, 4])
})

test('a new migration is pending until it is applied', async context => {
  const { db, folder, write } = await makePlace(context)
  await migrate(db, log, folder)
  write('0003_third.sql', 'insert into one values (3);')
  assert.deepEqual(
    (await pendingMigrations(db, folder)).map(one => one.name),
    ['third'],
  )
  await migrate(db, log, folder)
  assert.deepEqual(await numbers(db), [1, 2, 3])
})

test('a migration that fails changes nothing and is reported in one sentence', async context => {
  const { db, folder, write } = await makePlace(context)
  write('0003_third.sql', 'insert into one values (3); insert into missing values (1);')
  await assert.rejects(migrate(db, log, folder), (error: Error) => error instanceof SetupError)
  assert.deepEqual(await numbers(db), [1, 2])
})

test('refuses a database that a newer version has migrated', async context => {
  const { db, folder } = await makePlace(context)
  await migrate(db, log, folder)
  rmSync(join(folder, '0002_second.sql'))
  await assert.rejects(migrate(db, log, folder), {
    message: /^The database is newer than this Deskbell: .* 2 second/,
  })
})

test('refuses a migration that was changed after it was applied', async context => {
  const { db, folder, write } = await makePlace(context)
  await migrate(db, log, folder)
  write('0001_first.sql', 'create table one (n bigint);')
  await assert.rejects(migrate(db, log, folder), { message: /^Migration 1 first differs/ })
})

test('reports a database that refuses writes, such as a standby, and says what to do', async context => {
  const { target, folder } = await makePlace(context)
  const reader = connect(target, { max: 1 })
  Object.assign(reader.options.connection, { default_transaction_read_only: 'on' })
  context.after(() => reader.end())
  await assert.rejects(
    migrate(reader, log, folder),
    /^Error: DATABASE_URL: that database refuses writes: it is a standby/,
  )
})
