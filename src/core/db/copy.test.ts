import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after, before, test } from 'node:test'
import { createDatabase } from '../../../test/database.ts'
import { until } from '../../../test/until.ts'
import { withoutTimeout } from './db.ts'

type Made = Awaited<ReturnType<typeof createDatabase>>

let made: Made

before(async () => {
  made = await createDatabase({ max: 1 })
  await made.db`create table large as select n, repeat('x', 60000) as text from generate_series(1, 200) n`
  await made.db`create table kept (n int primary key)`
})

after(() => made.drop())

const countSnapshots = async () => {
  const [row] = await made.db<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_xmin is not null`
  return row!.count
}

test('when the reader of a COPY stops early, the COPY ends, its transaction fails, and its pool and snapshot are released', async () => {
  for (const goesOn of [true, false]) {
    const reading = withoutTimeout(made.db, own =>
      own.begin(async tx => {
        const rows = await tx.unsafe('copy large to stdout').readable()
        for await (const _ of rows) break
        if (goesOn) await tx`select 1`
        throw new Error('gone')
      }),
    )
    await assert.rejects(reading, goesOn ? { code: /^CONNECTION_/ } : /gone|CONNECTION_/)
    await until(async () => (await countSnapshots()) === 0)
  }
})

test('an error in the middle of a COPY reaches its reader, and the connection is reused', async () => {
  const [before] = await made.db<{ pid: number }[]>`select pg_backend_pid() as pid`
  const copy = `copy (select text, 1 / (n - 150) from large) to stdout`
  const rows = await made.db.unsafe(copy).readable()
  await assert.rejects(rows.toArray(), /division by zero/)
  const [after] = await made.db<{ pid: number }[]>`select pg_backend_pid() as pid`
  assert.equal(after!.pid, before!.pid)
})

const load = (...chunks: string[]) =>
  made.db.begin(async tx => {
    const target = await tx.unsafe('copy kept from stdin').writable()
    await pipeline(Readable.from(chunks), target)
  })

test('rows that the database refuses fail the COPY that sends them, and the transaction is rolled back', async () => {
  await assert.rejects(load('1\n2\n', 'three\n'), /invalid input syntax/)
  await assert.rejects(load('1\n2\n', '2\n'), { code: '23505' })
  await assert.rejects(load('1\n', ...Array(20_000).fill('no number\n')), /invalid input syntax/)
  await load('1\n', '2\n')
  assert.equal((await made.db`select from kept`).length, 2)
})
