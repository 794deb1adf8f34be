import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createDatabase } from '../../../test/database.ts'
import { needs } from '../../../test/needs.ts'
import { startPgbouncer } from '../../../test/pgbouncer.ts'
import { until } from '../../../test/until.ts'
import { createLog } from '../telemetry/log.ts'
import { connect, type DatabaseTarget, withoutTimeout } from './db.ts'
import { buildIndexes, isTransactional, migrationLockId } from './migrate-indexes.ts'

const { db, target, drop } = await createDatabase({ max: 4 })
after(drop)
await db`create table many as select n from generate_series(1, 20000) n`
const text = '-- For a test.\ncreate index concurrently many_n on many (n);\n'

const logged: string[] = []
const log = {
  ...createLog('silent'),
  info: (fields: unknown, line?: string) => logged.push(line ?? String(fields)),
} as never

async function build(place: DatabaseTarget | { url: string } = target): Promise<void> {
  const pool = connect(place, { max: 2 })
  try {
    await withoutTimeout(pool, own => buildIndexes(own, pool, log, text, 50))
  } finally {
    await pool.end()
  }
}

const readIndex = async () => {
  const [row] = await db`select indisvalid, indexrelid from pg_index where indexrelid = to_regclass('many_n')`
  return row
}

/** Runs `during` inside a transaction that has written, so that the build has to wait for it. */
async function write(during: () => Promise<void>): Promise<void> {
  await db.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`insert into many values (0)`
    await during()
  })
}

const insert = () =>
  db.begin(async tx => {
    await tx`set local lock_timeout = '1s'`
    await tx`insert into many values (-1)`
  })

test('builds an index while others write, logs the progress, and starts again after an interruption', async () => {
  let interrupted!: Promise<void>
  await write(async () => {
    interrupted = assert.rejects(
      build(),
      /many_n could not be built: .*; no row was changed; start Deskbell again/,
    )
    await until(() => logged.some(line => line.startsWith('Building the index many_n: waiting')))
    for (let n = 0; n < 10; n++) await insert()
    await db`select pg_terminate_backend(pid) from pg_stat_progress_create_index where datname = current_database()`
    await interrupted
  })
  assert.equal((await readIndex())?.indisvalid, false)
  await Promise.all([build(), build(), build()])
  assert.equal((await readIndex())?.indisvalid, true)
})

test('waits for a build that the database continues for a killed process, and keeps its index', async () => {
  await db`drop index many_n`
  const orphan = connect(target, { max: 1, statementTimeout: 0 })
  let [building, waiting]: Promise<unknown>[] = []
  await write(async () => {
    building = orphan`create index concurrently many_n on many (n)`.execute()
    await until(async () => (await readIndex())?.indisvalid === false)
    logged.length = 0
    waiting = build()
    await until(() => logged.some(line => /still building the index many_n for a process/.test(line)))
  })
  const begun = await readIndex()
  await Promise.all([building, waiting])
  assert.deepEqual(await readIndex(), { ...begun, indisvalid: true })
  await orphan.end()
})

test('holds no transaction while it waits for another process, whose build would wait for it', async () => {
  await db`drop index many_n`
  logged.length = 0
  let waiting: Promise<unknown> | undefined
  await db.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    const [own] = await tx`select pg_backend_pid() as pid, pg_advisory_xact_lock(${migrationLockId})`
    waiting = build()
    await until(() => logged.some(line => line.startsWith('Another process is building the indexes')))
    await until(async () => {
      const open = await db`
        select from pg_stat_activity
        where datname = current_database() and xact_start is not null and pid not in (${own!.pid}, pg_backend_pid())`
      return open.length === 0
    })
  })
  await waiting
  assert.equal((await readIndex())?.indisvalid, true)
})

test(
  'behind PgBouncer, several processes build an index one after another, and no lock remains',
  needs('pgbouncer'),
  async context => {
    await db`drop index many_n`
    const url = await startPgbouncer(context, target)
    await Promise.all([1, 2, 3, 4].map(() => build({ url })))
    assert.equal((await readIndex())?.indisvalid, true)
    const locks = await db`
    select from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`
    assert.equal(locks.length, 0)
  },
)

test('does not build a valid index again', async () => {
  const before = await readIndex()
  await build()
  assert.deepEqual(await readIndex(), before)
})

test('refuses another statement in a migration with a concurrent index', async () => {
  await assert.rejects(buildIndexes(db, db, log, `${text} drop table many;`), /must contain nothing else/)
})

test('builds an index of empty tables in a transaction', () => {
  assert.match(isTransactional(text), /create index many_n on many/)
})
