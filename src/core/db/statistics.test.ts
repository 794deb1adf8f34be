import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDatabase } from '../../../test/database.ts'
import { until } from '../../../test/until.ts'
import { analyzeGrownTables } from './statistics.ts'

test('analyzes a table that has grown from nothing, and no table that has not', async t => {
  const { db, drop } = await createDatabase({ max: 1 })
  t.after(drop)
  await db`insert into plans (code, name) select 'plan ' || n, 'Plan' from generate_series(1, 1000) n`
  const rowsOf = async (table: string) =>
    (await db`select reltuples::int as rows from pg_class where relname = ${table}`)[0]!.rows
  await until(async () => {
    await db`select pg_stat_force_next_flush()`
    await analyzeGrownTables(db)
    return (await rowsOf('plans')) > 1000
  })
  assert.equal(await rowsOf('tickets'), -1)
})
