import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { createDatabase } from '../../test/database.ts'
import { connect } from '../core/db/db.ts'
import { describeLocks, describeWrites } from './database.ts'
import { getSizes } from './queries.ts'

/** Hosted databases give a role that only owns its tables and sees little of other roles' sessions. */

const { db, target, drop } = await createDatabase()
const role = `${target.database}_role`
await db.unsafe(`create role ${role} login`)
const own = connect({ ...target, user: role }, { max: 2 })
after(async () => {
  await own.end()
  await db.unsafe(`drop role ${role}`)
  await drop()
})

/** Keeps a transaction of another role open until the test ends. Returns its process id. */
async function hold(context: TestContext, statement: string) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<number>()
  const ended = db.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx.unsafe(statement)
    const [row] = await tx<[{ pid: number }]>`select pg_backend_pid() as pid`
    begun.resolve(row.pid)
    await promise
  })
  context.after(() => {
    resolve()
    return ended
  })
  return begun.promise
}

test("doctor names another role's session that locks a table, even if its start time is hidden", async context => {
  const pid = await hold(context, 'lock table messages in exclusive mode')
  await assert.rejects(
    describeLocks(own),
    new RegExp(
      `^Error: process ${pid} \\(deskbell, of another role: .*hidden\\) keeps the table messages locked; `,
    ),
  )
})

test('doctor reports how many sessions of other roles hide the start of their transactions', async context => {
  await hold(context, 'select')
  assert.match(
    await describeLocks(own),
    new RegExp(
      `^no lock is held for long; how long .* \\(sessions: \\d+\\) .* grant pg_read_all_stats to ${role}\\)$`,
    ),
  )
  await db.unsafe(`grant pg_read_all_stats to ${role}`)
  assert.equal(await describeLocks(own), 'no lock is held for long')
  await db.unsafe(`revoke pg_read_all_stats from ${role}`)
})

test('doctor also counts the connections of other roles', async context => {
  const others = await Promise.all([1, 2, 3, 4, 5].map(() => hold(context, 'select')))
  const { connections } = await getSizes(own)
  assert.ok(connections > others.length, `${connections} connections`)
})

test('doctor reports an error if the role cannot write, as on a standby', async context => {
  assert.equal(await describeWrites(own), 'the database accepts writes')
  const reader = connect({ ...target, user: role }, { max: 1 })
  Object.assign(reader.options.connection, { default_transaction_read_only: 'on' })
  context.after(() => reader.end())
  await assert.rejects(describeWrites(reader), /^Error: the database refuses writes: it is a standby, or /)
})
