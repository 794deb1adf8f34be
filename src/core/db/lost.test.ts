import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDatabase } from '../../../test/database.ts'
import { connectApart } from './db.ts'

test('a pool can end after a connection was lost in the middle of a statement', async t => {
  const { db, drop } = await createDatabase()
  t.after(drop)
  const few = connectApart(db, { max: 2 })
  const [row] = await few<{ pid: number }[]>`select pg_backend_pid() as pid`
  const lost = assert.rejects(few`select pg_sleep(60)`, { code: /57P01|CONNECTION_CLOSED/ })
  await db`select pg_terminate_backend(${row!.pid})`
  await lost
  await few.end()
})
