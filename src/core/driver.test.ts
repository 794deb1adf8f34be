import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDatabase } from '../../test/database.ts'
import { until } from '../../test/run/program.ts'
import { connect } from './db.ts'

test('a lost connection fails its transactions, and neither the process nor the pool', async t => {
  const { db, target, drop } = await createDatabase()
  const admin = connect(target, { max: 1 })
  t.after(async () => {
    await admin.end()
    await drop()
  })
  await db`create table lost (n int)`
  let isOver = false
  const storm = (async () => {
    while (!isOver) {
      await admin`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`
    }
  })()
  const count = () => db<{ count: number }[]>`select count(*) from lost`
  const change = () =>
    db.begin(async sql => {
      for (let n = 0; n < 5; n++) await sql`insert into lost values (${n})`
    })
  const outcomes = await Promise.allSettled(Array.from({ length: 300 }, change))
  isOver = true
  await storm
  const committed = outcomes.filter(({ status }) => status === 'fulfilled').length
  assert.notEqual(committed, outcomes.length)
  const counted = await until(() => Promise.all(Array.from({ length: 20 }, count)).catch(() => null))
  for (const [row] of counted) assert.ok(Number(row!.count) % 5 === 0 && Number(row!.count) >= committed * 5)
})
