import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDatabase } from '../../../test/database.ts'
import { until } from '../../../test/until.ts'
import { connectApart } from './db.ts'

test('a pool can end after a connection was lost in the middle of a statement', async t => {
  const { db, drop } = await createDatabase()
  t.after(drop)
  const few = connectApart(db, { max: 2 })
  await few`select 1`
  const lost = assert.rejects(few`select pg_sleep(60)`, { code: /57P01|CONNECTION_CLOSED/ })
  await until(async () => {
    const ended = await db`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event = 'PgSleep'`
    return ended.length > 0
  })
  await lost
  await few.end()
})
